import { encodeFunctionData, erc20Abi, type TypedDataDefinition } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toAddress, toWallet } from '../../../base/chain/address.ts';
import { createChain } from '../../../base/chain/client.ts';
import { deploymentTransaction } from '../../../base/chain/create2.ts';
import { mintTestTokens } from '../../../base/chain/local.ts';
import { createSender, type Sender } from '../../../base/chain/sender.ts';
import {
  accountFactory,
  accountOf,
  createAccountTransaction,
  executeTransaction,
} from '../../../base/chain/spend-permission-account.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { rowsOf } from '../../../base/platform/test/rows.ts';
import { quotedPast, submit } from '../test/quoted.ts';
import { openWorld, type World } from '../test/world.ts';
import { listUnmatched } from '../unmatched/unmatched.ts';
import { type ClaimFacts, claimTypedData } from './claim.ts';
import { submitTransaction } from './submit.ts';

let world: World;
let account: PrivateKeyAccount;
let wallet: Sender;
beforeAll(async () => {
  world = await openWorld();
  const key = generatePrivateKey();
  account = privateKeyToAccount(key);
  wallet = createSender(world.chain, key);
  await world.control.setBalance({ address: account.address, value: 10n ** 19n });
  await mintTestTokens(world.chain, 'USDC', wallet.address, 10n ** 12n);
});
afterAll(() => world.stop());

const sign = (by: PrivateKeyAccount, facts: ClaimFacts, chainId = 31337) =>
  by.signTypedData(claimTypedData(chainId, facts) as unknown as TypedDataDefinition);

const transfer = (to: Wallet, amount: bigint) => ({
  to: world.chain.tokens.find(({ symbol }) => symbol === 'USDC')!.address!,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [toAddress(to), amount] }),
});

async function send(by: Sender, call: Parameters<Sender['send']>[0]): Promise<`0x${string}`> {
  const { hash } = await by.send(call);
  expect(await by.waitFor(hash!)).toBe('success');
  return hash!;
}

/** Two receipts of a merchant that wait for the same amount, and a quote of it at the split. */
async function twoWaiting() {
  const one = await quotedPast(world, 1_000);
  return { ...one, other: await world.receipt(one.merchant, 1_000) };
}

test('money straight to the split counts for the receipt that its sender signed for: too little is a mismatch, enough is paid', async () => {
  const { merchant, receiptId, other, quote } = await twoWaiting();
  const hash = await send(wallet, transfer(quote.payTo, 4_000_000n));
  const facts = { merchant, receiptId, transactionHash: hash };
  await submit(world, facts, hash, { signer: wallet.address, signature: await sign(account, facts) });
  expect(await world.status(merchant, receiptId)).toBe('tx_mismatch');
  expect(await world.status(merchant, other)).toBe('generated');

  const rest = await send(wallet, transfer(quote.payTo, 50_000_000n));
  const again = { merchant, receiptId, transactionHash: rest };
  await submit(world, again, rest, { signer: wallet.address, signature: await sign(account, again) });
  await world.mine(2);
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('paid');
  expect(await rowsOf(listUnmatched(world.deps, merchant))).toEqual([]);
});

test('a hint that was checked in vain is checked again once it is signed', async () => {
  const { merchant, receiptId, quote } = await twoWaiting();
  const hash = await send(wallet, transfer(quote.payTo, 4_000_000n));
  const facts = { merchant, receiptId, transactionHash: hash };
  await submit(world, facts, hash);
  expect(await world.status(merchant, receiptId)).toBe('pending');
  // Another wallet's signature proves nothing, and does not block the sender's signature.
  const stranger = privateKeyToAccount(generatePrivateKey());
  await submit(world, facts, hash, { signer: toWallet(stranger.address), signature: await sign(stranger, facts) });
  expect(await world.status(merchant, receiptId)).toBe('pending');
  await submit(world, facts, hash, { signer: wallet.address, signature: await sign(account, facts) });
  expect(await world.status(merchant, receiptId)).toBe('tx_mismatch');
});

test('a smart account signs for its own transfer (ERC-1271)', async () => {
  const { merchant, receiptId, quote } = await twoWaiting();
  const owners = [wallet.address];
  await wallet.send(deploymentTransaction(accountFactory));
  await send(wallet, createAccountTransaction(owners));
  const smart = accountOf(owners);
  await mintTestTokens(world.chain, 'USDC', smart, 100_000_000n);
  const hash = await send(wallet, executeTransaction(smart, transfer(quote.payTo, 4_000_000n)));
  const facts = { merchant, receiptId, transactionHash: hash };
  const signature = await sign(account, facts);
  // The key that sent the transaction is not the account that sent the money.
  await submit(world, facts, hash, { signer: wallet.address, signature });
  expect(await world.status(merchant, receiptId)).toBe('pending');
  await submit(world, facts, hash, { signer: smart, signature });
  expect(await world.status(merchant, receiptId)).toBe('tx_mismatch');

  const unreachable = { ...world.deps, chain: createChain({ ...world.chain, rpcUrl: 'http://127.0.0.1:1' }) };
  await expect(submitTransaction(unreachable, { ...facts, claim: { signer: smart, signature } })).rejects.toMatchObject(
    { code: 'chain_unavailable' },
  );
});

test('a sender that signs one transaction for two receipts proves nothing', async () => {
  const { merchant, receiptId, other, quote } = await twoWaiting();
  const hash = await send(wallet, transfer(quote.payTo, 4_000_000n));
  for (const id of [receiptId, other]) {
    const facts = { merchant, receiptId: id, transactionHash: hash };
    await submitTransaction(world.deps, {
      ...facts,
      claim: { signer: wallet.address, signature: await sign(account, facts) },
    });
  }
  await world.look();
  expect([await world.status(merchant, receiptId), await world.status(merchant, other)]).toEqual([
    'pending',
    'generated',
  ]);
});

test('a signature is valid only for its chain, merchant, receipt, transaction and signer', async () => {
  const { merchant, receiptId, other, quote } = await twoWaiting();
  const hash = await send(wallet, transfer(quote.payTo, 4_000_000n));
  const facts = { merchant, receiptId, transactionHash: hash };
  const { wallet: stranger } = await world.merchant();
  const signatures = {
    'another chain': await sign(account, facts, 1),
    'another merchant': await sign(account, { ...facts, merchant: stranger }),
    'another receipt': await sign(account, { ...facts, receiptId: other }),
    'another transaction': await sign(account, { ...facts, transactionHash: `0x${'1'.repeat(64)}` }),
    'another signer': await sign(privateKeyToAccount(generatePrivateKey()), facts),
    nothing: '0x',
  };
  for (const [what, signature] of Object.entries(signatures)) {
    const refused = submitTransaction(world.deps, { ...facts, claim: { signer: wallet.address, signature } });
    await expect(refused, what).rejects.toMatchObject({ code: 'invalid_signature', status: 400 });
  }
  await world.look();
  expect(await world.status(merchant, receiptId)).toBe('pending');
});

test('a signature is verified and not stored: only the signer is stored', async () => {
  const { merchant, receiptId, quote } = await twoWaiting();
  const hash = await send(wallet, transfer(quote.payTo, 4_000_000n));
  const facts = { merchant, receiptId, transactionHash: hash };
  const signature = await sign(account, facts);
  await submit(world, facts, hash, { signer: wallet.address, signature });
  await submit(world, facts, hash, { signer: wallet.address, signature });
  const rows = await world.deps.db.orm.em
    .fork()
    .execute('select to_jsonb(s) as row from submitted_transactions s where receipt_id = ?', [receiptId]);
  expect(rows).toEqual([{ row: expect.objectContaining({ signed_by: [wallet.address] }) }]);
  expect(JSON.stringify(rows)).not.toContain(signature.slice(2, 40));
});
