import { encodeFunctionData, erc20Abi, type Hex, maxUint256 } from 'viem';
import { toAddress } from '../../../base/chain/address.ts';
import { readBalance } from '../../../base/chain/balances.ts';
import { readHead } from '../../../base/chain/blocks.ts';
import { type Chain, reach } from '../../../base/chain/client.ts';
import { spendPermissionAccountAbi } from '../../../base/chain/spend-permission-account.ts';
import {
  approveAsAccountTransaction,
  isApprovedOnChain,
  isRevoked,
  readOwnership,
  type SpendPermission,
} from '../../../base/chain/spend-permissions.ts';
import { toDecimal } from '../../../base/chain/tokens.ts';
import type { Caller } from '../../../base/core/caller.ts';
import { Refusal, refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { spenderOf } from '../../../base/onchain/spender/spender.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { chainOf } from '../../../base/platform/on-chain.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { PERIOD_SECONDS, type Period } from '../plans/period.ts';
import { choosePlanToken, type PayableToken, payableTokens } from '../plans/plan-tokens.ts';
import { requirePlan } from '../plans/read-plans.ts';
import { NO_SIGNATURE } from './approved-permission.ts';
import { requireSubscription, type SubscriptionRecord } from './read-subscriptions.ts';
import { openSignature } from './signature-encryption.ts';
import type { Subscription } from './subscription.entity.ts';
import { priceUnits } from './terms.ts';

export const OBSTACLES = [
  'approval_missing',
  'manager_not_owner',
  'permission_not_approved',
  'balance_too_low',
] as const;

/** A call that the customer's wallet sends. */
export interface FixTransaction {
  readonly to: Wallet;
  readonly data: Hex;
}

/** The steps that remove an obstacle. */
export interface Fix {
  /**
   * The contract to call: the token, the account itself, or the spend permission manager. For `balance_too_low`, the
   * missing token.
   */
  readonly address: Wallet;
  /** The contract to authorize; null if tokens are missing. */
  readonly spender: Wallet | null;
  /** Base units: the amount to approve, or the missing amount; null if the fix has no amount. */
  readonly amount: string | null;
  /** The transactions to send, in this order; empty if no transaction removes the obstacle. */
  readonly transactions: readonly FixTransaction[];
}

/** A reason why a charge would fail. */
export interface Obstacle {
  readonly code: (typeof OBSTACLES)[number];
  /** One sentence for the customer. */
  readonly message: string;
  readonly fix: Fix;
}

/** Whether a customer's wallet could be charged for a plan now. */
export interface Preflight {
  /** The chain of the charge (EIP-155). */
  readonly chainId: number;
  readonly token: PayableToken;
  /** The amount of one charge, in base units. */
  readonly amount: string;
  /** The wallet's balance of the token, in base units. */
  readonly balance: string;
  /** A smart account is charged through the spend permission manager, a plain wallet through its ERC-20 approval. */
  readonly smartAccount: boolean;
  readonly obstacles: readonly Obstacle[];
}

const YEAR_S = 365 * 86_400;

/** The charge to check. */
export interface PreflightRequest {
  readonly planId: string;
  readonly customer: Wallet;
  /** A symbol and a chain; what is omitted is the plan's default. */
  readonly token?: string | null;
  readonly chainId?: number | null;
  /** A subscription to the plan: its price, period, token and chain apply instead of the plan's current ones. */
  readonly subscriptionId?: string | null;
}

/**
 * Lists the obstacles to charging the customer for the plan now, each with its fix. The result is advisory: a
 * subscription can be created despite obstacles.
 *
 * Refuses with `plan_not_found`, `not_found`, `invalid_input` (chainId, token), `spender_not_configured`,
 * `chain_unavailable`.
 */
export async function readPreflight(
  all: Pick<Deps, 'db' | 'chain' | 'chains' | 'settings'>,
  caller: Caller,
  request: PreflightRequest,
): Promise<Preflight> {
  const { customer } = request;
  const { priceCents, period, token, chain, subscription } = await agreedTerms(all, caller, request);
  const { manager, spender: current } = spenderOf({ ...all, chain });
  // A permission may name the contract of an earlier key.
  const spender = subscription?.permission.spender ?? current;
  const amount = priceUnits(priceCents, token);
  const head = await readHead(chain);
  const [balance, allowance, ownership, lost] = await Promise.all([
    readBalance(chain, customer, token.address, head.number),
    readAllowance(chain, token.address, customer, spender),
    readOwnership(chain, manager, customer),
    subscription !== null && hasLostApproval({ ...all, chain }, manager, subscription),
  ]);
  const smartAccount = ownership !== 'no_contract';
  const obstacles: Obstacle[] = [];
  if (ownership === 'not_owner') obstacles.push(notOwner(manager, customer));
  if (subscription && lost) obstacles.push(notPermitted(manager, subscription.permission));
  if (!smartAccount && allowance < amount) {
    const yearly = amount * BigInt(Math.floor(YEAR_S / PERIOD_SECONDS[period]));
    obstacles.push(await notApproved(chain, { token, customer, spender, allowance, yearly }));
  }
  if (balance < amount) obstacles.push(tooLow(token, amount - balance));
  const { chainId } = chain;
  return { chainId, token, amount: String(amount), balance: String(balance), smartAccount, obstacles };
}

interface AgreedTerms {
  readonly priceCents: number;
  readonly period: Period;
  readonly token: PayableToken;
  readonly chain: Chain;
  readonly subscription: SubscriptionRecord | null;
}

async function agreedTerms(
  deps: Pick<Deps, 'db' | 'chain' | 'chains'>,
  caller: Caller,
  { planId, subscriptionId, ...choice }: PreflightRequest,
): Promise<AgreedTerms> {
  const plan = await requirePlan(deps.db, caller, planId);
  if (subscriptionId == null) return { ...plan, ...choosePlanToken(deps.chains, plan, choice), subscription: null };
  const subscription = await requireSubscription(deps.db, caller, subscriptionId);
  if (subscription.planId !== plan.id) throw refuse('not_found', 'Subscription not found');
  const { chainId } = subscription;
  const chain = chainOf(deps, chainId);
  if (!chain) throw refuse('chain_unavailable', `This server has no chain ${chainId} any more`);
  const token = payableTokens(chain.tokens).find(({ address }) => address === subscription.token);
  if (!token) throw refuse('invalid_input', 'The token of this subscription is not taken any more', { field: 'token' });
  const { priceCents, period } = subscription;
  return { priceCents, period, token, chain, subscription };
}

function readAllowance(chain: Chain, token: Wallet, owner: Wallet, spender: Wallet): Promise<bigint> {
  return reach(
    chain.client.readContract({
      abi: erc20Abi,
      address: toAddress(token),
      functionName: 'allowance',
      args: [toAddress(owner), toAddress(spender)],
    }),
  );
}

function notOwner(manager: Wallet, account: Wallet): Obstacle {
  const data = encodeFunctionData({
    abi: spendPermissionAccountAbi,
    functionName: 'addOwnerAddress',
    args: [toAddress(manager)],
  });
  return {
    code: 'manager_not_owner',
    message: 'Your smart account must list the spend permission manager as an owner.',
    fix: { address: account, spender: manager, amount: null, transactions: [{ to: account, data }] },
  };
}

/** The approval on the chain that the subscription was made with. */
function notPermitted(manager: Wallet, permission: SpendPermission): Obstacle {
  const { to, data } = approveAsAccountTransaction(manager, permission);
  return {
    code: 'permission_not_approved',
    message: 'The network has dropped your approval of this subscription. Your smart account must approve it again.',
    fix: { address: manager, spender: null, amount: null, transactions: [{ to, data }] },
  };
}

/** All subscriptions of a wallet share one approval, so a year's charges are added to the current allowance. */
async function notApproved(
  chain: Chain,
  a: { token: PayableToken; customer: Wallet; spender: Wallet; allowance: bigint; yearly: bigint },
): Promise<Obstacle> {
  const { token, customer, spender, allowance, yearly } = a;
  const wanted = allowance + yearly > maxUint256 ? maxUint256 : allowance + yearly;
  const approve = (amount: bigint): FixTransaction => ({
    to: token.address,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [toAddress(spender), amount] }),
  });
  // Some tokens accept a new approval only after the old one was reset to zero.
  const atOnce = allowance === 0n || (await succeeds(chain, customer, approve(wanted)));
  return {
    code: 'approval_missing',
    message: `Your wallet must allow charges in ${token.symbol}: ${toDecimal(wanted, token.decimals)} ${token.symbol}, enough for a year. Each charge takes the plan's price and no more.`,
    fix: {
      address: token.address,
      spender,
      amount: String(wanted),
      transactions: atOnce ? [approve(wanted)] : [approve(0n), approve(wanted)],
    },
  };
}

async function succeeds({ client }: Chain, from: Wallet, { to, data }: FixTransaction): Promise<boolean> {
  try {
    await reach(client.call({ account: toAddress(from), to: toAddress(to), data }));
    return true;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    return false;
  }
}

function tooLow({ symbol, address, decimals }: PayableToken, missing: bigint): Obstacle {
  return {
    code: 'balance_too_low',
    message: `Your wallet is ${toDecimal(missing, decimals)} ${symbol} short of the next charge.`,
    fix: { address, spender: null, amount: String(missing), transactions: [] },
  };
}

type Key = Pick<Subscription, 'merchant' | 'id'>;

const SIGNATURE = query('subscription-signature', (db, $: Key) =>
  db.selectFrom('Subscription').select('sealedSignature').where('merchant', '=', $.merchant).where('id', '=', $.id),
);

/**
 * Whether a subscription counts by an approval on the chain alone, and the chain does not have it any more: a
 * reorganization has removed it. A revoked permission cannot be approved again. Throws `chain_unavailable`.
 */
async function hasLostApproval(
  { db, settings, chain }: Pick<Deps, 'db' | 'settings'> & { readonly chain: Chain },
  manager: Wallet,
  { merchant, id, permission }: Key & Pick<Subscription, 'permission'>,
): Promise<boolean> {
  const [row] = await db.run(SIGNATURE, { merchant, id });
  if (!row || openSignature(settings, id, row.sealedSignature) !== NO_SIGNATURE) return false;
  const [approved, revoked] = await Promise.all([
    isApprovedOnChain(chain, manager, permission),
    isRevoked(chain, manager, permission),
  ]);
  return !approved && !revoked;
}
