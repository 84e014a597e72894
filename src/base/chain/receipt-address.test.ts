import { readFileSync } from 'node:fs';
import { keccak256, parseAbi, sha256, stringToHex } from 'viem';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { LOCAL_CHAIN_ID } from '../core/local-chains.ts';
import type { Wallet } from '../core/wallet.ts';
import { toAddress, toWallet } from './address.ts';
import { createChain } from './client.ts';
import { deployOnce } from './deploy-once.ts';
import { payFromTestWallet } from './local.ts';
import { localAccount } from './local-accounts.ts';
import { readCoinBalances, receiptAddress, receiptSalt, whyNoAddresses } from './receipt-address.ts';
import { RECEIPT_FACTORY, receiptFactoryDeployment } from './receipt-record.ts';
import { createSender } from './sender.ts';
import { startBareChain, startTestChain, type TestChain } from './test/anvil.ts';

let local: TestChain;
beforeAll(async () => {
  local = await startTestChain();
});
afterAll(() => local.stop());

const wallet = (n: number) => `0x${n.toString(16).padStart(40, '0')}` as Wallet;
const parts = {
  factory: RECEIPT_FACTORY,
  split: wallet(0xabc1),
  merchant: wallet(0xabc2),
  receiptId: 'a',
  createdAt: 1_790_000_000_000,
  number: 0,
};

test('the contracts of addresses that buyers were shown never change', () => {
  const source = readFileSync(new URL('./contracts/ReceiptAddress.sol', import.meta.url), 'utf8');
  expect([sha256(stringToHex(source)), keccak256(receiptFactoryDeployment().initCode), RECEIPT_FACTORY]).toEqual([
    '0x4ec40d9ff32ec080d4f36e8368604bfa8c4458894a6aff63d720cd946f0268e1',
    '0x46277bf08bce6999ae23d76c70064dbde54e0d3359a0945219f419f8cefcb01b',
    '0xc98f466711af331dc3ddef54b33c07e3c8f76d2d',
  ]);
});

test('before the factory is deployed a chain has no addresses, and afterwards it proves that it has them', async () => {
  const bare = await startBareChain(LOCAL_CHAIN_ID);
  onTestFinished(() => bare.stop());
  const chain = createChain({ ...local.chain, rpcUrl: bare.rpcUrl });
  expect(await whyNoAddresses(chain)).toMatch('is not at');
  const sender = createSender(chain, localAccount('settlement').privateKey);
  await deployOnce(chain, sender, receiptFactoryDeployment());
  expect(await whyNoAddresses(chain)).toBeNull();
  expect(await whyNoAddresses(local.chain)).toBeNull();
});

// The two forms of é are different ids, as are a and A.
test.each(['a', 'A', '\u00e9', 'e\u0301', 'x'.repeat(128), '日本語'])(
  'the factory makes the address of receipt %j',
  async (receiptId) => {
    for (const number of [0, 1]) {
      const address = receiptAddress({ ...parts, receiptId, number });
      const made = await local.chain.client.readContract({
        abi: parseAbi(['function addressOf(address split, bytes32 salt) view returns (address)']),
        address: toAddress(RECEIPT_FACTORY),
        functionName: 'addressOf',
        args: [toAddress(parts.split), receiptSalt({ ...parts, receiptId, number })],
      });
      expect(toWallet(made)).toBe(address);
    }
  },
);

test('every part of a receipt gives another address', () => {
  const others = [
    { split: wallet(1) },
    { merchant: wallet(1) },
    { receiptId: 'A' },
    { createdAt: parts.createdAt + 1 },
    { number: 1 },
    { factory: wallet(1) },
  ];
  const all = [parts, ...others.map((other) => ({ ...parts, ...other }))].map(receiptAddress);
  expect(new Set(all).size).toBe(all.length);
});

test('of thousands of addresses those with coins are read, at a block', async () => {
  const many = Array.from({ length: 5_000 }, (_, i) => wallet(0x10_0000 + i));
  const rich = [many[0]!, many[2_399]!, many[2_400]!, many[4_999]!];
  const before = await local.chain.client.getBlockNumber();
  for (const [i, to] of rich.entries()) {
    const hash = await payFromTestWallet(local.chain, { token: 'ETH', to, amount: BigInt(i + 1) });
    await local.chain.client.waitForTransactionReceipt({ hash });
  }
  const now = await local.chain.client.getBlockNumber();
  expect(await readCoinBalances(local.chain, many, now)).toEqual(new Map(rich.map((one, i) => [one, BigInt(i + 1)])));
  expect(await readCoinBalances(local.chain, many, before)).toEqual(new Map());
});

test('10,000 addresses wait for the node no longer than 2,400', async () => {
  const many = Array.from({ length: 10_000 }, (_, i) => wallet(0x10_0000 + i));
  const { client } = local.chain;
  const block = await client.getBlockNumber();
  let [open, most] = [0, 0];
  const call: typeof client.call = async (asked) => {
    open += 1;
    most = Math.max(most, open);
    return client.call(asked).finally(() => void open--);
  };
  await readCoinBalances({ ...local.chain, client: { ...client, call } }, many, block);
  expect(most).toBe(5);
});
