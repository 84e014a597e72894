import { erc20Abi, toHex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TEST_MNEMONIC } from '../core/local-chains.ts';
import { parseWallet, type Wallet } from '../core/wallet.ts';
import { toAddress } from './address.ts';
import { createChain } from './client.ts';
import { giveTestTokens, mintTestTokens, payFromTestWallet, prepareLocalChain } from './local.ts';
import { localAccount } from './local-accounts.ts';
import { startTestChain, type TestChain } from './test/anvil.ts';
import { defaultTokens } from './tokens.ts';

const to = `0x${'42'.repeat(20)}` as Wallet;

let local: TestChain;

beforeAll(async () => {
  local = await startTestChain();
});

afterAll(() => local.stop());

async function balanceOf(symbol: string, owner: Wallet): Promise<bigint> {
  const { client, tokens } = local.chain;
  const address = tokens.find((token) => token.symbol === symbol)!.address;
  if (address === null) return client.getBalance({ address: toAddress(owner) });
  const contract = { abi: erc20Abi, address: toAddress(address) } as const;
  return client.readContract({ ...contract, functionName: 'balanceOf', args: [toAddress(owner)] });
}

test("the account of each role is one of anvil's accounts, with the key that its mnemonic has", async () => {
  const accounts = (await local.control.request({ method: 'eth_accounts' as never })) as string[];
  const byRole = [
    localAccount('deployer'),
    localAccount('spender'),
    localAccount('settlement'),
    localAccount('demoMerchant'),
    localAccount('platform'),
    ...[0, 1, 2, 3, 4].map((nth) => localAccount('buyer', nth)),
  ];
  expect(byRole.map(({ address }) => address)).toEqual(accounts.map(parseWallet));
  expect(byRole.map(({ privateKey }) => privateKey)).toEqual(
    accounts.map((_, addressIndex) => toHex(mnemonicToAccount(TEST_MNEMONIC, { addressIndex }).getHdKey().privateKey!)),
  );
  expect(() => localAccount('buyer', 5)).toThrow('no account buyer 5');
});

test('the test tokens are deployed at the default addresses of the local chain, with their names and decimals', async () => {
  for (const { address, symbol, decimals } of defaultTokens(31337).filter((token) => token.address !== null)) {
    const contract = { abi: erc20Abi, address: toAddress(address!) } as const;
    expect(await local.chain.client.readContract({ ...contract, functionName: 'symbol' })).toBe(symbol);
    expect(await local.chain.client.readContract({ ...contract, functionName: 'decimals' })).toBe(decimals);
  }
});

test('preparing the chain again changes nothing', async () => {
  const before = await local.chain.client.getBlockNumber();
  await Promise.all([prepareLocalChain(local.rpcUrl), prepareLocalChain(local.rpcUrl)]);
  expect(await local.chain.client.getBlockNumber()).toBe(before);
});

test('minted tokens are in the balance when minting resolves', async () => {
  await mintTestTokens(local.chain, 'USDT', to, 123n);
  expect(await balanceOf('USDT', to)).toBe(123n);
});

test('an account is given whole units of every test token', async () => {
  const { address } = localAccount('demoMerchant');
  await giveTestTokens(local.chain, address, 7n);
  await expect
    .poll(() => Promise.all(['USDC', 'USDT'].map((symbol) => balanceOf(symbol, address))))
    .toEqual([7_000_000n, 7_000_000n]);
});

test.each(['USDC', 'USDT', 'ETH'])('the test wallet pays in %s, with concurrent payments', async (token) => {
  const before = await balanceOf(token, to);
  const payments = [1n, 20n, 300n].map((amount) => payFromTestWallet(local.chain, { token, to, amount }));
  for (const hash of await Promise.all(payments)) {
    const { status } = await local.chain.client.waitForTransactionReceipt({ hash });
    expect(status).toBe('success');
  }
  expect(await balanceOf(token, to)).toBe(before + 321n);
});

test('test accounts are refused on a real chain', async () => {
  const base = createChain({ chainId: 8453, rpcUrl: local.rpcUrl, tokens: defaultTokens(8453), confirmations: 1 });
  await expect(payFromTestWallet(base, { token: 'USDC', to, amount: 1n })).rejects.toThrow('not allowed on chain 8453');
});
