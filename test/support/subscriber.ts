import { readHead } from '../../src/base/chain/blocks.ts';
import { type SpendPermission, spendPermissionTypedData } from '../../src/base/chain/spend-permissions.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { spenderOf } from '../../src/base/onchain/spender/spender.ts';
import { PERIOD_SECONDS, type Period } from '../../src/domain/recurring/plans/period.ts';
import type { Answer } from './http.ts';
import { newAccount, type TestAccount, type TestMerchant, type TestServer } from './server.ts';

/** A plan as its merchant has made it. */
export interface TestPlan {
  readonly planId: string;
  readonly priceUsd: number;
  readonly period: Period;
}

/** Makes a plan through the merchant's own session: 14.50 a month by default. */
export async function makePlan(server: TestServer, merchant: TestMerchant, body: object = {}): Promise<TestPlan> {
  const answer = await server.call('POST', '/api/subscriptions/plans', {
    headers: await server.signIn(merchant.account),
    body: { name: 'Coffee club', description: 'A bag of beans', priceUsd: 14.5, period: 'MONTHLY', ...body },
  });
  if (answer.status !== 201) throw new Error(`The plan was refused: ${JSON.stringify(answer.body)}`);
  return answer.body.plan;
}

export const walletOf = ({ address }: Pick<TestAccount, 'address'>): Wallet => address.toLowerCase() as Wallet;

/** The contract of one of the chain's tokens. */
export const tokenOf = ({ deps }: Pick<TestServer, 'deps'>, symbol: string): Wallet =>
  deps.chain.tokens.find((token) => token.symbol === symbol)?.address as Wallet;

let salts = 0;

/**
 * A permission that fits the plan, from the latest block on for a year beyond its first period; another one each time.
 */
export async function fittingPermission(
  server: Pick<TestServer, 'deps'>,
  plan: TestPlan,
  account: Wallet,
  change: Partial<SpendPermission> = {},
): Promise<SpendPermission> {
  const start = Math.floor((await readHead(server.deps.chain)).timeMs / 1000);
  const period = PERIOD_SECONDS[plan.period];
  return {
    account,
    spender: spenderOf(server.deps).spender,
    token: tokenOf(server, 'USDC'),
    allowance: String(Math.round(plan.priceUsd * 100) * 10_000),
    period,
    start,
    end: start + period + 365 * 86_400,
    salt: String(++salts),
    extraData: '0x',
    ...change,
  };
}

/** The customer's signature, in the domain of the server's spend permission manager. */
export function signPermission(
  { deps }: Pick<TestServer, 'deps'>,
  signer: TestAccount,
  permission: SpendPermission,
): Promise<`0x${string}`> {
  return signer.signTypedData(spendPermissionTypedData(deps.chain.chainId, spenderOf(deps).manager, permission));
}

/** The body of `POST /api/subscriptions/create` for a plain wallet, by default a new one. */
export async function subscriptionBody(
  server: Pick<TestServer, 'deps'>,
  plan: TestPlan,
  { customer = newAccount(), ...change }: { customer?: TestAccount } & Partial<SpendPermission> = {},
) {
  const permissionData = await fittingPermission(server, plan, walletOf(customer), change);
  return {
    planId: plan.planId,
    customerWallet: walletOf(customer),
    permissionSignature: await signPermission(server, customer, permissionData),
    permissionData,
  };
}

/** Subscribes with the merchant's key. */
export const subscribe = (server: TestServer, merchant: TestMerchant, body: unknown): Promise<Answer> =>
  server.call('POST', '/api/subscriptions/create', { headers: merchant.auth, body });
