import { expect, test } from 'vitest';
import { deploymentTransaction } from '../../src/base/chain/create2.ts';
import { mintTestTokens } from '../../src/base/chain/local.ts';
import { localAccount } from '../../src/base/chain/local-accounts.ts';
import { createSender } from '../../src/base/chain/sender.ts';
import {
  accountFactory,
  accountOf,
  createAccountTransaction,
  executeTransaction,
} from '../../src/base/chain/spend-permission-account.ts';
import {
  approveAsAccountTransaction,
  revokeAsAccountTransaction,
  type SpendPermission,
} from '../../src/base/chain/spend-permissions.ts';
import { isDeployed } from '../../src/base/chain/splitter.ts';
import { LOCAL_CHAIN_ID, SLOW_CHAIN_ID } from '../../src/base/core/local-chains.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { spenderOf } from '../../src/base/onchain/spender/spender.ts';
import { ask } from '../graphql/ask.ts';
import { makePlan, subscribe, type TestPlan } from '../support/subscriber.ts';
import { startOnTwoChains } from '../support/two-chains.ts';

const { first, server } = await startOnTwoChains();
const merchant = await server.merchant();
const session = await server.signIn(merchant.account);

const { manager } = spenderOf(server.deps);
const owner = createSender(first.chain, localAccount('buyer', 2).privateKey);
const send = async (transaction: Parameters<typeof owner.send>[0]) => {
  const { hash, revertReason } = await owner.send(transaction);
  if (hash === null) throw new Error(revertReason);
  await owner.waitFor(hash);
};

let accounts = 0n;

/** A smart account of the owner that lists the manager, on the first chain. */
async function smartAccount(): Promise<Wallet> {
  if (!(await isDeployed(first.chain, accountFactory.address))) await send(deploymentTransaction(accountFactory));
  const owners = [owner.address, manager];
  await send(createAccountTransaction(owners, ++accounts));
  return accountOf(owners, accounts);
}

const paymentTokens = [LOCAL_CHAIN_ID, SLOW_CHAIN_ID].map((chainId) => ({ chainId, token: 'USDC' }));
const plan = await makePlan(server, merchant, { paymentTokens });

const DRAFT = `query ($planId: ID!, $customer: Wallet!, $chainId: SafeInt) {
  permissionDraft(planId: $planId, customer: $customer, chainId: $chainId) {
    chainId approval { to data } draftToken permission { account spender token allowance period start end salt extraData } } }`;

interface Draft {
  readonly permission: SpendPermission;
  readonly approval: { readonly to: Wallet; readonly data: `0x${string}` };
  readonly draftToken: string;
}

async function draftOf(of: TestPlan, customer: Wallet, chainId = LOCAL_CHAIN_ID): Promise<Draft> {
  const { body } = await ask(server, session, DRAFT, { planId: of.planId, customer, chainId });
  return body.data.permissionDraft;
}

const approve = (account: Wallet, { approval }: Draft) => send(executeTransaction(account, approval));

const bodyOf = ({ permission, draftToken }: Draft, change: object = {}) => ({
  planId: plan.planId,
  customerWallet: permission.account,
  permissionSignature: '0x',
  permissionData: permission,
  draftToken,
  chainId: LOCAL_CHAIN_ID,
  ...change,
});

const create = (draft: Draft, change?: object) => subscribe(server, merchant, bodyOf(draft, change));
const codes = ({ status, body }: Awaited<ReturnType<typeof subscribe>>) => [status, body.error, body.field];
const REFUSED = [400, 'invalid_signature', 'permissionSignature'];

const subscriptionsOf = async (): Promise<{ customerWallet: string }[]> =>
  (await server.call('GET', `/api/subscriptions/status?merchant=${merchant.wallet}`, { headers: merchant.auth })).body
    .subscriptions;
const countOf = async (customer: Wallet) =>
  (await subscriptionsOf()).filter(({ customerWallet }) => customerWallet === customer).length;

test('a permission that a smart account has approved on the chain is subscribed with, charged once, and answered the same again', async () => {
  const account = await smartAccount();
  await mintTestTokens(first.chain, 'USDC', account, 100_000_000n);
  const draft = await draftOf(plan, account);
  await approve(account, draft);
  const made = await create(draft);
  expect([made.status, made.body.subscription?.status], JSON.stringify(made.body)).toEqual([201, 'active']);
  expect((await create(draft)).body).toEqual(made.body);
  expect(await countOf(account)).toBe(1);

  const charge = () =>
    server.call('POST', '/api/cron/charge-subscriptions', {
      headers: { 'x-cron-secret': server.deps.settings.cronSecret },
    });
  const { subscriptionId } = made.body.subscription;
  const charged = (await charge()).body.results.filter(
    (one: { subscriptionId: string }) => one.subscriptionId === subscriptionId,
  );
  expect(charged).toMatchObject([{ success: true, amountUsd: 14.5 }]);
  await charge();
  const { body } = await server.call('GET', `/api/subscriptions/status?subscriptionId=${subscriptionId}`, {
    headers: merchant.auth,
  });
  expect(body.subscription).toMatchObject({ status: 'active', chargeCount: 1 });
}, 120_000);

test('a permission that is not approved, or revoked, is refused', async () => {
  const account = await smartAccount();
  const draft = await draftOf(plan, account);
  expect(codes(await create(draft))).toEqual(REFUSED);
  await approve(account, draft);
  await send(executeTransaction(account, revokeAsAccountTransaction(manager, draft.permission)));
  expect(codes(await create(draft))).toEqual(REFUSED);
  expect(await countOf(account)).toBe(0);
});

test('an approval for one plan subscribes to no other, also of the same terms', async () => {
  const account = await smartAccount();
  const other = await makePlan(server, merchant, { paymentTokens });
  const draft = await draftOf(other, account);
  await approve(account, draft);
  expect(codes(await create(draft))).toEqual(REFUSED);
  // Nor does a permission that names no plan, with a token of its own.
  const unmarked = { ...draft.permission, extraData: '0x' } as const;
  await send(executeTransaction(account, approveAsAccountTransaction(manager, unmarked)));
  expect(codes(await create({ ...draft, permission: unmarked }))).toEqual([400, 'invalid_signature', 'draftToken']);
  expect(await countOf(account)).toBe(0);
  expect((await create(draft, { planId: other.planId })).status).toBe(201);
});

test('only who drafted a permission subscribes with its approval: a stranger cannot use an abandoned one', async () => {
  const account = await smartAccount();
  const [abandoned, used] = [await draftOf(plan, account), await draftOf(plan, account)];
  await approve(account, abandoned);
  await approve(account, used);
  expect(codes(await create(abandoned, { draftToken: undefined }))).toEqual(REFUSED);
  for (const draftToken of [used.draftToken, 'f'.repeat(64)])
    expect(codes(await create(abandoned, { draftToken }))).toEqual([400, 'invalid_signature', 'draftToken']);
  expect((await create(used)).status).toBe(201);
  expect(await countOf(account)).toBe(1);
});

test('an approval on one chain counts on no other', async () => {
  const account = await smartAccount();
  const draft = await draftOf(plan, account);
  await approve(account, draft);
  const elsewhere = await draftOf(plan, account, SLOW_CHAIN_ID);
  // The token of the draft is of its chain; the account has approved nothing there.
  expect(codes(await create(draft, { chainId: SLOW_CHAIN_ID }))).toEqual([400, 'invalid_signature', 'draftToken']);
  expect(codes(await create(elsewhere, { chainId: SLOW_CHAIN_ID }))).toEqual(REFUSED);
  expect(codes(await create(elsewhere))).toEqual([400, 'invalid_signature', 'draftToken']);
  expect(await countOf(account)).toBe(0);
});

test('a plain wallet must sign, also if it has approved the permission on the chain', async () => {
  const draft = await draftOf(plan, owner.address);
  await send(draft.approval);
  expect(codes(await create(draft))).toEqual(REFUSED);
  expect(await countOf(owner.address)).toBe(0);
});

test('after a cancellation the approved permission is never used again', async () => {
  const account = await smartAccount();
  const draft = await draftOf(plan, account);
  await approve(account, draft);
  const { subscriptionId } = (await create(draft)).body.subscription;
  const END = 'mutation ($id: ID!) { endSubscription(subscriptionId: $id) { status } }';
  expect((await ask(server, session, END, { id: subscriptionId })).body.data.endSubscription.status).toBe('cancelled');
  const again = await create(draft);
  // The first subscription, ended; or a refusal once the revocation is on the chain.
  if (again.status === 201) expect(again.body.subscription).toMatchObject({ subscriptionId, status: 'cancelled' });
  else expect(codes(again)).toEqual(REFUSED);
  expect(await countOf(account)).toBe(1);
});

test('an approval that a reorganization removes is named by the preflight, and charged once it is given again', async () => {
  const account = await smartAccount();
  await mintTestTokens(first.chain, 'USDC', account, 100_000_000n);
  const draft = await draftOf(plan, account);
  const snapshot = await first.control.snapshot();
  await approve(account, draft);
  const { subscriptionId } = (await create(draft)).body.subscription;
  const query = `query ($p: ID!, $c: Wallet!, $s: ID) { subscriptionPreflight(planId: $p, customer: $c, subscriptionId: $s) {
    ready obstacles { code fix { address transactions { to data } } } } }`;
  const preflight = async () => {
    const { body } = await ask(server, session, query, { p: plan.planId, c: account, s: subscriptionId });
    return body.data.subscriptionPreflight;
  };
  expect(await preflight()).toEqual({ ready: true, obstacles: [] });

  await first.control.revert({ id: snapshot });
  const { ready, obstacles } = await preflight();
  expect([ready, obstacles.map(({ code }: { code: string }) => code)]).toEqual([false, ['permission_not_approved']]);
  await send(executeTransaction(account, obstacles[0].fix.transactions[0]));
  expect(await preflight()).toEqual({ ready: true, obstacles: [] });
});
