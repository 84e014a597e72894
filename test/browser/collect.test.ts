import { createWalletClient, encodeDeployData, encodeFunctionData, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, expect, test } from 'vitest';
import { toAddress } from '../../src/base/chain/address.ts';
import artifact from '../../src/base/chain/contracts/test-token.json' with { type: 'json' };
import { localAccount } from '../../src/base/chain/local-accounts.ts';
import { RECEIPT_FACTORY } from '../../src/base/chain/receipt-record.ts';
import { startBareChain } from '../../src/base/chain/test/anvil.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { ask } from '../graphql/ask.ts';
import { newAccount, startTestServer } from '../support/server.ts';
import { expectWellMade, openBrowser, reaches, visit } from './browser.ts';
import { type InjectedOptions, injectWallet, WalletError } from './wallet.ts';

const CHAIN_ID = 4_246;
const platform = newAccount().address;

// A chain that the server does not know, without the deployer and without any contract of the product.
const [server, chain, browser] = await Promise.all([
  startTestServer({ env: { PLATFORM_RECIPIENT: platform } }),
  startBareChain(CHAIN_ID, ['--disable-default-create2-deployer']),
  openBrowser(),
]);
afterAll(async () => {
  await server.stop();
  await chain.stop();
});

const account = privateKeyToAccount(localAccount('buyer', 2).privateKey);
const client = createWalletClient({ account, transport: http(chain.rpcUrl) }).extend(publicActions);
const sent = async (call: object) => {
  const hash = await client.sendTransaction({ chain: null, to: null, ...call });
  return client.waitForTransactionReceipt({ hash, pollingInterval: 10 });
};

interface Record {
  readonly address: Wallet;
  readonly recipients: readonly { readonly address: Wallet; readonly sharesBps: number }[];
}

/** A receipt of a merchant of its own, by the record that the API has of its address. */
async function newRecord(): Promise<Record> {
  const merchant = await server.merchant();
  const body = { id: 'record-1', lineItems: [{ label: 'Bread', priceUsd: 10 }] };
  expect(await server.call('POST', '/api/receipts', { headers: merchant.auth, body })).toMatchObject({ status: 201 });
  const query = 'query ($receiptId: ID!) { addressRecords(receiptId: $receiptId) }';
  const answer = await ask(server, merchant.auth, query, { receiptId: body.id });
  expect(answer.body.data.addressRecords).toHaveLength(1);
  return answer.body.data.addressRecords[0];
}

/** The page, loaded and then without a network, in a browser whose wallet is on the chain. */
async function open(wallet: InjectedOptions = {}) {
  const methods: string[][] = [];
  const page = await visit(browser, `${server.url}/collect`, {
    before: async (fresh) => {
      const walletOf = () => client as never;
      const options = { name: 'Fox Wallet', chainId: CHAIN_ID, reads: true, ...wallet };
      methods.push(await injectWallet(fresh, { walletOf }, account, options));
    },
  });
  await page.locator('html.js').waitFor();
  await page.context().setOffline(true);
  const give = async (record: unknown, token = '') => {
    await page.getByLabel('Record', { exact: true }).fill(typeof record === 'string' ? record : JSON.stringify(record));
    await page.getByLabel('Contract of the token').fill(token);
    await page.getByRole('button', { name: 'Check the record' }).click();
  };
  const connect = () => page.getByRole('button', { name: 'Connect Fox Wallet' }).click();
  const send = () => page.getByRole('button', { name: 'Confirm the first one in the wallet' }).click();
  const steps = () =>
    page.locator('[data-step]').evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.step));
  const fault = () => page.getByRole('alert').getAttribute('data-fault');
  return { page, give, connect, send, steps, fault, asked: () => methods[0]! };
}

test('coins at an address on a chain that the server never knew are collected in the browser, which asks no server', async () => {
  const record = await newRecord();
  await sent({ to: record.address, value: 1_000_000n, gas: 21_000n });
  const { page, give, connect, send, steps, asked } = await open();
  await give(record);
  await page.locator('#stage').getByText(record.address).waitFor();
  await expectWellMade(page);
  await connect();
  await reaches(page, 'steps');
  expect(await steps()).toEqual(['fund', 'deployer', 'factory', 'split', 'collect']);
  await expectWellMade(page);
  for (let left = 4; left > 0; left--) {
    await send();
    await expect.poll(async () => (await steps()).length, { timeout: 30_000 }).toBe(left);
  }
  // Each transaction is one that the person has confirmed.
  expect(asked().filter((method) => method === 'eth_sendTransaction')).toHaveLength(3);
  await send();
  await reaches(page, 'done');
  await expectWellMade(page);
  for (const { address, sharesBps } of record.recipients)
    expect(await client.getBalance({ address: toAddress(address) })).toBe(BigInt(100 * sharesBps));
  expect(await client.getBalance({ address: toAddress(record.address) })).toBe(0n);
  // What is there already is not sent again, and a token takes its own contract.
  const { abi, bytecode } = artifact;
  const data = encodeDeployData({ abi, bytecode: bytecode as `0x${string}`, args: ['Any', 'ANY', 6] });
  const token = (await sent({ data })).contractAddress!;
  const mint = encodeFunctionData({ abi, functionName: 'mint', args: [toAddress(record.address), 2_500_000n] });
  await sent({ to: token, data: mint });
  await give(record, token);
  await reaches(page, 'steps');
  expect(await steps()).toEqual(['collect']);
  await page.getByText('2.5 ANY').waitFor();
  await send();
  await reaches(page, 'done');
  expect(await client.getCode({ address: toAddress(RECEIPT_FACTORY) })).not.toBeUndefined();
});

test('a record that was changed, and what is no token, are refused with a sentence before anything is sent', async () => {
  const record = await newRecord();
  const { page, give, connect, fault, asked } = await open({ changes: 'refuses' });
  const [first, second] = record.recipients as [Record['recipients'][0], Record['recipients'][0]];
  const mallory = newAccount().address;
  for (const [given, code] of [
    ['not json', 'json'],
    ['[]', 'json'],
    [{ ...record, createdAt: 'yesterday' }, 'field'],
    [{ ...record, recipients: [{ ...first, sharesBps: first.sharesBps - 1 }, second] }, 'field'],
    [{ ...record, recipients: [{ ...first, address: mallory }, second] }, 'otherSplit'],
    [{ ...record, number: 1 }, 'otherAddress'],
    [{ ...record, address: mallory }, 'otherAddress'],
  ] as const) {
    await give(given);
    await page.getByRole('alert').waitFor();
    expect([given, await fault()]).toEqual([given, code]);
    expect(await page.getByRole('button', { name: 'Connect' }).count()).toBe(0);
  }
  await give(record, '0x12');
  expect(await fault()).toBe('token');
  await give(record);
  await connect();
  await reaches(page, 'nothing');
  await give(record, mallory);
  await expect.poll(fault).toBe('noToken');
  // A split that Quittance has not made is where its merchant put it. It is paid directly.
  const own = { ...record, salt: null, split: mallory.toLowerCase(), address: undefined };
  await sent({ to: mallory, value: 5n });
  await give(own);
  await expect.poll(fault).toBe('noSplit');
  await give({ ...own, onlyChainId: 1 });
  await expect.poll(fault).toBe('elsewhere');
  expect(asked()).not.toContain('eth_sendTransaction');
});

test.each([
  ['rejected', new WalletError(4001, 'User rejected the request.')],
  ['funds', new WalletError(-32000, 'insufficient funds for gas * price + value')],
  ['network', new WalletError(-32603, 'Internal error')],
] as const)(
  'a wallet that answers a transaction with an error: %s, and the step is asked for again',
  async (code, error) => {
    const record = await newRecord();
    await sent({ to: record.address, value: 7n });
    const { page, give, connect, send, steps, fault } = await open({ send: () => Promise.reject(error) });
    await give(record);
    await connect();
    await reaches(page, 'steps');
    const before = await steps();
    await send();
    await page.getByRole('alert').waitFor();
    expect(await fault()).toBe(code);
    expect(await steps()).toEqual(before);
  },
);

test('the page may connect to nothing and be shown in no frame', async () => {
  const { headers, status } = await fetch(`${server.url}/collect`);
  expect(status).toBe(200);
  const policy = headers.get('content-security-policy')!;
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/connect-src|unsafe/);
});
