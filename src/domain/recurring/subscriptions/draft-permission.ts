import { randomBytes } from 'node:crypto';
import { readHead } from '../../../base/chain/blocks.ts';
import type { TransactionCall } from '../../../base/chain/create2.ts';
import {
  approveAsAccountTransaction,
  hashSpendPermission,
  SPEND_PERMISSION_TYPES,
  type SpendPermission,
  spendPermissionDomain,
} from '../../../base/chain/spend-permissions.ts';
import type { Caller } from '../../../base/core/caller.ts';
import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { spenderOf } from '../../../base/onchain/spender/spender.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { PERIOD_SECONDS } from '../plans/period.ts';
import { choosePlanToken, type PayableToken } from '../plans/plan-tokens.ts';
import { type PlanRecord, requirePlan } from '../plans/read-plans.ts';
import { draftTokenOf, planMark } from './approved-permission.ts';
import { priceUnits } from './terms.ts';

/** Validity of a drafted permission. The customer can end it earlier at any time. */
const TERM_S = 5 * 365 * 86_400;

/** The permission that a customer signs to subscribe. */
export interface PermissionDraft {
  /** The chain that the signature is for (EIP-155). The caller sends it with the signature. */
  readonly chainId: number;
  /** The caller sends it with the signature. */
  readonly permission: SpendPermission;
  /** As `eth_signTypedData_v4` takes it: plain JSON that includes the type `EIP712Domain`. */
  readonly typedData: object;
  /** The permission's hash in the spend permission manager (`getHash`). */
  readonly permissionHash: `0x${string}`;
  /** The approval on the chain, which a smart account may send in place of a signature. */
  readonly approval: TransactionCall;
  /** The caller sends it with a permission that was approved on the chain. */
  readonly draftToken: string;
}

const EIP712_DOMAIN = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
] as const;

/**
 * A permission that fits the plan exactly: the plan's price per period, from the time of the latest block, for five
 * years.
 *
 * Refuses with `plan_not_found` (also for an inactive plan), `invalid_input` (chainId, token),
 * `spender_not_configured`, `chain_unavailable`.
 */
export async function draftPermission(
  all: Pick<Deps, 'db' | 'chains' | 'settings'>,
  caller: Caller,
  { planId, customer, ...choice }: { planId: string; customer: Wallet; token?: string | null; chainId?: number | null },
): Promise<PermissionDraft> {
  const plan = await requirePlan(all.db, caller, planId);
  if (!plan.active) throw refuse('plan_not_found', 'This plan takes no new subscriptions');
  const { chain, token } = choosePlanToken(all.chains, plan, choice);
  const deps = { ...all, chain };
  const { manager, spender } = spenderOf(deps);
  const { timeMs } = await readHead(chain);
  const permission = permissionFor(plan, { customer, spender, token, startS: Math.floor(timeMs / 1000) });
  const { chainId } = chain;
  const permissionHash = hashSpendPermission(chainId, manager, permission);
  return {
    chainId,
    permission,
    typedData: {
      domain: spendPermissionDomain(chainId, manager),
      types: { EIP712Domain: EIP712_DOMAIN, ...SPEND_PERMISSION_TYPES },
      primaryType: 'SpendPermission',
      message: permission,
    },
    permissionHash,
    approval: approveAsAccountTransaction(manager, permission),
    draftToken: draftTokenOf(all.settings, permissionHash),
  };
}

function permissionFor(
  plan: Pick<PlanRecord, 'merchant' | 'id' | 'priceCents' | 'period'>,
  { customer, spender, token, startS }: { customer: Wallet; spender: Wallet; token: PayableToken; startS: number },
): SpendPermission {
  return {
    account: customer,
    spender,
    token: token.address,
    allowance: String(priceUnits(plan.priceCents, token)),
    period: PERIOD_SECONDS[plan.period],
    start: startS,
    end: startS + TERM_S,
    salt: BigInt(`0x${randomBytes(32).toString('hex')}`).toString(),
    extraData: planMark(plan),
  };
}
