import { encodeFunctionData, erc20Abi, type TypedDataDefinition } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toAddress } from '../chain/address.ts';
import { mintTestTokens } from '../chain/local.ts';
import { createSender } from '../chain/sender.ts';
import { inTransaction } from '../platform/unit-of-work.ts';
import { claimTypedData } from './claim.ts';
import { revertTransfer } from './reorg.ts';
import { submitTransactionWithin } from './submit.ts';
import { payTwice, quoted, storedTransfer, submit, submitSigned } from './test/quoted.ts';
import { openWorld, type World } from './test/world.ts';
import { followHints } from './transaction-hints.ts';

// Transfers that are matched to a receipt only after their confirmations.

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

/** Mines past full depth and lets the watcher confirm the transfers. */
async function pastTheDepth(): Promise<void> {
  await world.mine(4);
  await world.look();
}

test('a card delivery vouched for by the provider after its confirmations is paid', async () => {
  const { merchant, receiptId, quote } = await quoted(world, 1_000);
  const transactionHash = await world.pay({ ...quote, amount: '10030000' });
  await pastTheDepth();
  const vouched = { by: 'onramp:stripe', amount: 10_030_000n };
  await inTransaction(world.deps, (uow) =>
    submitTransactionWithin(world.deps, uow, { merchant, receiptId, transactionHash, vouched }),
  );
  await followHints(world.deps, (await world.look()).cursor);
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('paid');
});

test('a payment signed by its sender after its confirmations is paid', async () => {
  const key = generatePrivateKey();
  const account = privateKeyToAccount(key);
  const wallet = createSender(world.chain, key);
  await world.control.setBalance({ address: account.address, value: 10n ** 19n });
  await mintTestTokens(world.chain, 'USDC', wallet.address, 10n ** 9n);
  const { merchant, receiptId, quote } = await quoted(world, 1_000);
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [toAddress(quote.payTo), 11_000_000n],
  });
  const usdc = world.chain.tokens.find(({ symbol }) => symbol === 'USDC')!.address!;
  const { hash } = await wallet.send({ to: usdc, data });
  await wallet.waitFor(hash!);
  await pastTheDepth();
  const facts = { merchant, receiptId, transactionHash: hash! };
  const signature = await account.signTypedData(claimTypedData(31337, facts) as unknown as TypedDataDefinition);
  await submit(world, facts, hash!, { signer: wallet.address, signature });
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('paid');
});

test('a payment hinted at after its confirmations is paid', async () => {
  const { merchant, receiptId, quote } = await quoted(world, 1_000);
  const hash = await world.pay(quote, 500_000n);
  await pastTheDepth();
  await submitSigned(world, { merchant, receiptId }, hash);
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('paid');
});

test('a confirmed duplicate that replaces a lost payment is paid', async () => {
  const { merchant, receiptId, quote } = await quoted(world, 1_000);
  const [first, second] = await payTwice(world, quote);
  const em = world.deps.orm.em.fork();
  await em.execute('update transfers set confirmed_at = 1 where transaction_hash = ?', [second]);
  await world.mine(4);
  await revertTransfer(world.deps, await storedTransfer(world, first));
  expect(await world.read(merchant, receiptId)).toMatchObject({ status: 'tx_mined', transactionHash: second });
  await world.look();
  expect(await world.read(merchant, receiptId)).toMatchObject({ status: 'paid', transactionHash: second });
});
