import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Wallet } from '../core/wallet.ts';
import { toWallet } from './address.ts';
import {
  type Authorization,
  authorizedTransfer,
  isAuthorizationSpent,
  readAuthorizationDomain,
  readAuthorizationOf,
} from './authorizations.ts';
import { readBalance } from './balances.ts';
import { mintTestTokens } from './local.ts';
import { localAccount } from './local-accounts.ts';
import { createSender, type Sender } from './sender.ts';
import { accountOf, createAccountTransaction } from './spend-permission-account.ts';
import { startTestChain, type TestChain } from './test/anvil.ts';
import { authorizationOf, cancellation, newAuthorizer, signAuthorization, usdcOf } from './test/authorize.ts';

let local: TestChain;
let usdc: Wallet;
let stranger: Sender;
beforeAll(async () => {
  local = await startTestChain();
  usdc = usdcOf(local.chain);
  stranger = createSender(local.chain, localAccount('buyer', 3).privateKey);
});
afterAll(() => local.stop());

const shop = toWallet(privateKeyToAccount(generatePrivateKey()).address);
const balanceOf = async (wallet: Wallet) =>
  readBalance(local.chain, wallet, usdc, await local.chain.client.getBlockNumber());

async function carryOut(authorization: Authorization, signature: `0x${string}`, byKey = true) {
  const { hash, revertReason } = await stranger.send(authorizedTransfer(usdc, authorization, { signature, byKey }));
  if (hash) await stranger.waitFor(hash);
  return { hash, revertReason };
}

test('only a token with EIP-3009 has a signing domain', async () => {
  const [first, second] = local.chain.tokens;
  expect(await readAuthorizationDomain(local.chain, first!.address!)).toEqual({
    name: 'Test USD Coin',
    version: '2',
    chainId: 31337,
    verifyingContract: expect.stringMatching(/^0x/),
  });
  expect(await readAuthorizationDomain(local.chain, second!.address!)).toBe(null);
});

test('an authorization moves the money once, and its transfer names it', async () => {
  const buyer = newAuthorizer();
  await mintTestTokens(local.chain, 'USDC', buyer.wallet, 10n);
  const authorization = authorizationOf(buyer.wallet, { to: shop, value: 7n });
  const signature = await signAuthorization(local.chain, buyer.account, authorization);
  const before = await balanceOf(shop);
  const { hash } = await carryOut(authorization, signature);
  expect((await balanceOf(shop)) - before).toBe(7n);
  expect(await isAuthorizationSpent(local.chain, usdc, authorization)).toBe(true);

  const receipt = await local.chain.client.getTransactionReceipt({ hash: hash! });
  const [use, transfer] = receipt.logs;
  const mined = { transactionHash: hash!, blockHash: receipt.blockHash, from: buyer.wallet, token: usdc };
  expect(await readAuthorizationOf(local.chain, { ...mined, logIndex: transfer!.logIndex })).toBe(authorization.nonce);
  expect(await readAuthorizationOf(local.chain, { ...mined, logIndex: use!.logIndex })).toBe(null);
  expect(await readAuthorizationOf(local.chain, { ...mined, from: shop, logIndex: transfer!.logIndex })).toBe(null);

  expect(await carryOut(authorization, signature)).toEqual({
    hash: null,
    revertReason: expect.stringContaining('used or canceled'),
  });
});

test('a cancelled authorization moves nothing', async () => {
  const buyer = newAuthorizer();
  await mintTestTokens(local.chain, 'USDC', buyer.wallet, 10n);
  const authorization = authorizationOf(buyer.wallet, { to: shop, value: 7n });
  const { hash } = await stranger.send(await cancellation(local.chain, buyer, authorization.nonce));
  await stranger.waitFor(hash!);
  const signature = await signAuthorization(local.chain, buyer.account, authorization);
  expect((await carryOut(authorization, signature)).revertReason).toContain('used or canceled');
});

test('a smart account’s signature moves the money as bytes', async () => {
  const owner = newAuthorizer();
  const account = accountOf([owner.wallet]);
  await stranger.send(createAccountTransaction([owner.wallet]));
  await mintTestTokens(local.chain, 'USDC', account, 10n);
  const authorization = authorizationOf(account, { to: shop, value: 3n });
  const signature = await signAuthorization(local.chain, owner.account, authorization);
  const before = await balanceOf(shop);
  await carryOut(authorization, signature, false);
  expect((await balanceOf(shop)) - before).toBe(3n);
});
