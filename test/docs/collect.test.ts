import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createWalletClient, encodeDeployData, erc20Abi, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, expect, test } from 'vitest';
import { toWallet } from '../../src/base/chain/address.ts';
import artifact from '../../src/base/chain/contracts/test-token.json' with { type: 'json' };
import { localAccount } from '../../src/base/chain/local-accounts.ts';
import { planSplitter } from '../../src/base/chain/plan-splitter.ts';
import { receiptAddress } from '../../src/base/chain/receipt-address.ts';
import { RECEIPT_FACTORY } from '../../src/base/chain/receipt-record.ts';
import { startBareChain } from '../../src/base/chain/test/anvil.ts';
import { root } from '../gates/sources.ts';
import { makeDataDir } from '../support/program.ts';
import { newAccount } from '../support/server.ts';
import { commands } from '../system/cli/run.ts';

const run = promisify(execFile);
const chain = await startBareChain(4_242, ['--disable-default-create2-deployer']);
afterAll(() => chain.stop());

const stranger = localAccount('buyer', 2);
const account = privateKeyToAccount(stranger.privateKey);
const client = createWalletClient({ account, transport: http(chain.rpcUrl) }).extend(publicActions);
const sent = async (call: object) => {
  const hash = await client.sendTransaction({ chain: null, to: null, ...call });
  return client.waitForTransactionReceipt({ hash, pollingInterval: 10 });
};

const merchant = toWallet(newAccount().address);
const payees = [merchant, toWallet(newAccount().address)];
const recipients = payees.map((address, i) => ({ address, sharesBps: [9_950, 50][i]! }));
const receipt = { merchant, receiptId: 'Größe 1', createdAt: 1_795_320_000_123, number: 0 };
const split = planSplitter({ merchant, recipients }).address;
const address = receiptAddress({ factory: RECEIPT_FACTORY, split, ...receipt }) as `0x${string}`;
const record = join(makeDataDir(afterAll), 'record.json');
writeFileSync(record, JSON.stringify({ ...receipt, recipients }));

const collect = async (...token: string[]) => {
  const script = join(root, 'docs/examples/collect/collect.ts');
  const env = { PATH: process.env.PATH, RPC_URL: chain.rpcUrl, PRIVATE_KEY: stranger.privateKey };
  const { stdout } = await run(process.execPath, [script, record, ...token], { env });
  return stdout;
};
const coinsOf = () => Promise.all(payees.map((one) => client.getBalance({ address: one as `0x${string}` })));

test('coins that stand at an address on a chain that no server knows are collected from the record alone', async () => {
  // A plain transfer of 21,000 gas, before anything else is on the chain: not even the deployer.
  await sent({ to: address, value: 1_000_000n, gas: 21_000n });
  expect(await client.getCode({ address: RECEIPT_FACTORY as `0x${string}` })).toBeUndefined();
  expect(await collect()).toContain(`address ${address} split ${split}`);
  expect(await coinsOf()).toEqual([995_000n, 5_000n]);
  expect(await client.getBalance({ address })).toBe(0n);
});

test('what is there already is used again, also for a token', async () => {
  const { abi, bytecode } = artifact;
  const data = encodeDeployData({ abi, bytecode: bytecode as `0x${string}`, args: ['Any', 'ANY', 6] });
  const token = (await sent({ data })).contractAddress!;
  const mint = { abi, address: token, functionName: 'mint', args: [address, 1_000_000n] } as const;
  const minted = await client.writeContract({ ...mint, chain: null });
  await client.waitForTransactionReceipt({ hash: minted, pollingInterval: 10 });
  const lines = (await collect(token)).trim().split('\n');
  expect(lines).toEqual([expect.stringMatching(/^address /), expect.stringMatching(/^collect 0x.* success$/)]);
  const held = (one: string) =>
    client.readContract({ abi: erc20Abi, address: token, functionName: 'balanceOf', args: [one as `0x${string}`] });
  expect(await Promise.all(payees.map(held))).toEqual([995_000n, 5_000n]);
});

test('address factory prints the transaction that deploys the factory', async () => {
  const other = await startBareChain(4_243);
  try {
    const { address, to, data } = await commands({}).json('address', 'factory');
    expect(address).toBe(RECEIPT_FACTORY);
    const wallet = createWalletClient({ account, transport: http(other.rpcUrl) }).extend(publicActions);
    const hash = await wallet.sendTransaction({ chain: null, to, data });
    await wallet.waitForTransactionReceipt({ hash, pollingInterval: 10 });
    expect(await wallet.getCode({ address })).not.toBeUndefined();
  } finally {
    await other.stop();
  }
});
