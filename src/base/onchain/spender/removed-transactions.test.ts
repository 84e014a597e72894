import { type Hash, parseEther } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorld, randomWallet, type World } from '../../../domain/payments/test/world.ts';
import { toAddress } from '../../chain/address.ts';
import { type Chain, createChain } from '../../chain/client.ts';
import { openNode } from '../../chain/test/node.ts';
import { defaultTokens } from '../../chain/tokens.ts';
import type { Wallet } from '../../core/wallet.ts';
import { followTransactions } from './follow-transactions.ts';
import { sendTransactions } from './send-transactions.ts';
import type { LaneDeps } from './spender.ts';
import { openWallet, type SigningWallet } from './spender-key.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

const on = (chain: Partial<Chain>): LaneDeps => ({ ...world.deps, chain: { ...world.chain, ...chain } });

/** A wallet of its own with ether, and nothing sent. */
async function fundedWallet(): Promise<SigningWallet> {
  const wallet = openWallet('settlement', generatePrivateKey());
  await fund(wallet);
  return wallet;
}

const fund = ({ sender }: SigningWallet) =>
  world.control.setBalance({ address: toAddress(sender), value: parseEther('1') });

/** Sends one wei to a new address, which is the subject of the transaction. */
async function send(deps: LaneDeps, wallet: SigningWallet): Promise<Wallet> {
  const payee = randomWallet();
  const call = { to: payee, data: '0x', value: 1n } as const;
  const want = { purpose: 'release', merchant: '', subjectId: payee, call, gas: 30_000n, staleAt: null } as const;
  expect(await sendTransactions(deps, wallet, [want])).toHaveLength(1);
  return payee;
}

const follow = (deps: LaneDeps, wallet: SigningWallet) => followTransactions(deps, wallet, {});

const rowsOf = ({ sender }: SigningWallet) =>
  world.deps.db.orm.em
    .fork()
    .execute<{ nonce: number; state: string; outcome: string | null }[]>(
      'select nonce, state, outcome from spender_transactions where sender = ? order by nonce',
      [sender],
    );

/** The hash of the wallet's only transaction. */
async function hashOf({ sender }: SigningWallet): Promise<Hash> {
  const sql = 'select hash from spender_broadcasts where sender = ?';
  const [row] = await world.deps.db.orm.em.fork().execute<{ hash: Hash }[]>(sql, [sender]);
  return row!.hash;
}

const arrivedAt = (payees: readonly Wallet[]) =>
  Promise.all(payees.map((payee) => world.chain.client.getBalance({ address: toAddress(payee) })));

/** Sends a transaction and follows it until it is final. */
async function sendUntilFinal(deps: LaneDeps, wallet: SigningWallet): Promise<Wallet> {
  const payee = await send(deps, wallet);
  await world.mine(deps.chain.confirmations);
  await follow(deps, wallet);
  expect((await rowsOf(wallet)).at(-1)).toMatchObject({ state: 'final', outcome: 'success' });
  return payee;
}

test.each([
  { mayRestart: true, chain: 'a local chain' },
  { mayRestart: false, chain: 'a public chain' },
])('on $chain, confirmed transactions that a deeper reorganization removes are sent again', async ({ mayRestart }) => {
  const deps = on({ mayRestart });
  const wallet = await fundedWallet();
  const kept = await sendUntilFinal(deps, wallet);
  const removed = [await sendUntilFinal(deps, wallet), await sendUntilFinal(deps, wallet)];
  const depth = 2 * (1 + deps.chain.confirmations);
  await world.control.request({ method: 'anvil_reorg' as never, params: [depth, []] as never });
  expect(await arrivedAt([kept, ...removed])).toEqual([1n, 0n, 0n]);

  const later = await send(deps, wallet);
  for (let pass = 0; pass < 3; pass++) {
    await follow(deps, wallet);
    await world.mine(1);
  }
  expect(await arrivedAt([kept, ...removed, later])).toEqual([1n, 1n, 1n, 1n]);
  await world.mine(deps.chain.confirmations);
  await follow(deps, wallet);
  expect(await rowsOf(wallet)).toEqual([0, 1, 2, 3].map((nonce) => ({ nonce, state: 'final', outcome: 'success' })));
});

test('on a local chain that was reset, the nonces start again', async () => {
  const wallet = await fundedWallet();
  const id = await world.control.snapshot();
  await sendUntilFinal(world.deps, wallet);
  await sendUntilFinal(world.deps, wallet);
  await world.control.revert({ id });

  const payee = await sendUntilFinal(world.deps, wallet);
  expect(await arrivedAt([payee])).toEqual([1n]);
  expect(await rowsOf(wallet)).toEqual([{ nonce: 0, state: 'final', outcome: 'success' }]);
});

test('a nonce whose block a node does not show yet is not taken for used by another transaction', async () => {
  const hidden = { isHidden: true };
  const url = await openNode(world.rpcUrl, async ({ method }) =>
    method === 'eth_getTransactionReceipt' && hidden.isHidden ? { result: null } : null,
  );
  const { chainId, confirmations } = world.chain;
  const lagging = on(createChain({ chainId, rpcUrl: url, tokens: defaultTokens(chainId), confirmations }));
  const wallet = await fundedWallet();
  await world.control.setAutomine(false);
  const payee = await send(lagging, wallet);
  const hash = await hashOf(wallet);
  const raw = await world.control.request({ method: 'eth_getRawTransactionByHash', params: [hash] } as never);
  // Long after it was sent, the transaction comes into the newest block.
  await world.control.dropTransaction({ hash });
  await world.mine(confirmations + 8);
  await world.control.request({ method: 'eth_sendRawTransaction', params: [raw] } as never);
  await world.control.setAutomine(true);
  await world.mine(1);
  await follow(lagging, wallet);
  expect(await rowsOf(wallet)).toEqual([{ nonce: 0, state: 'open', outcome: null }]);

  hidden.isHidden = false;
  await follow(lagging, wallet);
  expect(await rowsOf(wallet)).toEqual([{ nonce: 0, state: 'mined', outcome: 'success' }]);
  expect(await arrivedAt([payee])).toEqual([1n]);
});

test('a nonce that another program has used for good voids the transaction', async () => {
  const wallet = await fundedWallet();
  await world.control.setAutomine(false);
  await send(world.deps, wallet);
  const hash = await hashOf(wallet);
  await world.control.dropTransaction({ hash });
  await world.control.setAutomine(true);
  const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n };
  const other = { to: toAddress(randomWallet()), gas: 21_000n, nonce: 0, chainId: world.chain.chainId, ...fees };
  const raw = await wallet.account.signTransaction({ type: 'eip1559', ...other });
  await world.chain.client.sendRawTransaction({ serializedTransaction: raw });
  await world.mine(world.chain.confirmations);
  await follow(world.deps, wallet);
  expect(await rowsOf(wallet)).toEqual([{ nonce: 0, state: 'open', outcome: null }]);
  await world.mine(8);
  await follow(world.deps, wallet);
  expect(await rowsOf(wallet)).toEqual([{ nonce: 0, state: 'final', outcome: 'voided' }]);
});
