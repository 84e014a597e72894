import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../gates/sources.ts';
import { type Reader, startReader } from '../live/reader.ts';
import { makeDataDir, startQuittance, until } from '../support/program.ts';
import { openReceiver } from '../support/receiver.ts';

/** The functions of `src` that an action ran, and the files that hold them. */
interface Journey {
  readonly files: number;
  readonly functions: number;
}

/**
 * The most that an action may run beyond what an idle server does, and beyond the action that it is added to. Lower a
 * number when the count falls. Who needs more raises it, and says why in the commit.
 */
const MOST = {
  order: { files: 62, functions: 240 },
  // Beside other programs more of the background runs meanwhile: 954 functions for 905, 51 files for 43.
  'order, payment page, transfer and payout': { files: 225, functions: 980 },
  'webhooks of that payment': { files: 30, functions: 110 },
  'event to an open websocket': { files: 30, functions: 110 },
  'list of receipts': { files: 54, functions: 170 },
  'query of the console for 50 receipts': { files: 54, functions: 170 },
} satisfies Record<string, Journey>;

/** The actions that are counted without what another one runs. */
const ADDED_TO: Partial<Record<keyof typeof MOST, keyof typeof MOST>> = {
  'webhooks of that payment': 'order, payment page, transfer and payout',
  'event to an open websocket': 'order',
};

const PAY = 'mutation ($id: ID!) { payWithTestWallet(receiptId: $id, token: "USDC") { transactionHash } }';

/** What runs while nothing is asked is no part of an action: samples are taken until so many in a row bring nothing. */
const QUIET_SAMPLES = 4;
const SAMPLE_MS = 1_500;

test('an order, a payment, a webhook, an event and a list pass so many files and functions', async () => {
  const dataDir = makeDataDir();
  const file = join(dataDir, 'functions.txt');
  const counting = join(root, 'test/support/count-functions.ts');
  const { program, call, auth, url } = await startQuittance(
    { DATA_DIR: dataDir, FUNCTIONS_FILE: file, NODE_OPTIONS: `--import ${counting}` },
    { launcher: join(root, 'src/app/cli/main.ts') },
  );
  /** The functions that ran since the last call. */
  const ran = async (): Promise<string[]> => {
    rmSync(file, { force: true });
    program.child.kill('SIGUSR2');
    await until(() => existsSync(file), { program });
    return readFileSync(file, 'utf8').split('\n');
  };
  const order = async (more = {}): Promise<{ receiptId: string; paymentUrl: string }> => {
    const body = { items: [{ sku: 'MUG-STONE', qty: 1 }], ...more };
    const { receipt, paymentUrl } = (await call('POST', '/api/orders', { headers: auth, body })).body;
    return { receiptId: receipt.receiptId, paymentUrl };
  };
  const receiver = await openReceiver();
  const settleWithWebhooks = async () => {
    const receiptId = await settle({ webhookUrl: receiver.url });
    await receiver.about(receiptId, 'reconciled');
  };
  /** An open websocket that has heard of an order. */
  const openSocket = async (): Promise<Reader> => {
    const reader = startReader({ url: () => `${url.replace('http', 'ws')}/api/graphql`, params: auth, after: '0.0' });
    onTestFinished(reader.stop);
    await orderSeen(reader);
    return reader;
  };
  const orderSeen = async ({ heard }: Reader) => {
    const { receiptId } = await order();
    await until(() => heard.some((event) => event.startsWith(`${receiptId}:`)), { program });
  };
  const query = 'query { receipts(first: 50) { edges { node { id status totalUsd createdAt } } } }';
  const consoleQuery = () => call('POST', '/api/graphql', { headers: auth, body: { query } });
  const list = () => call('GET', '/api/receipts?limit=50', { headers: auth });
  const settle = async (more = {}) => {
    const { receiptId, paymentUrl } = await order(more);
    const page = await fetch(new URL(paymentUrl, url));
    const [, token] = /name="page-token" content="([^"]+)"/.exec(await page.text()) ?? [];
    const headers = { authorization: `Bearer ${token}` };
    const { body } = await call('POST', '/api/graphql', {
      headers,
      body: { query: PAY, variables: { id: receiptId } },
    });
    expect(body.errors).toBeUndefined();
    const status = async () =>
      (await call('GET', `/api/receipts/status?receiptId=${receiptId}`, { headers: auth })).body;
    await until(async () => ['completed', 'reconciled'].includes((await status()).status), { program });
    return receiptId;
  };

  const actions: Record<keyof typeof MOST, () => Promise<unknown>> = {
    order: () => order(),
    'order, payment page, transfer and payout': () => settle(),
    'webhooks of that payment': settleWithWebhooks,
    'list of receipts': list,
    'query of the console for 50 receipts': consoleQuery,
    'event to an open websocket': async () => {
      const reader = await openSocket();
      await ran();
      await orderSeen(reader);
      reader.stop();
    },
  };
  // Warm: what is made once is no part of an action.
  for (const act of Object.values(actions)) for (const _ of [1, 2]) await act();
  await ran();
  const idle = new Set<string>();
  for (let quiet = 0; quiet < QUIET_SAMPLES; ) {
    await pause(SAMPLE_MS);
    const known = idle.size;
    for (const one of await ran()) idle.add(one);
    quiet = idle.size === known ? quiet + 1 : 0;
  }
  const counted: Record<string, Journey> = {};
  const ranIn: Record<string, ReadonlySet<string>> = {};
  for (const [name, act] of Object.entries(actions)) {
    await act();
    ranIn[name] = new Set(await ran());
    const without = ranIn[ADDED_TO[name as keyof typeof MOST] ?? ''];
    const own = [...ranIn[name]].filter((one) => !idle.has(one) && !without?.has(one));
    counted[name] = { files: new Set(own.map((one) => one.split(' ')[0])).size, functions: own.length };
  }
  console.log(counted);
  for (const [name, { files, functions }] of Object.entries(counted)) {
    const most = MOST[name as keyof typeof MOST];
    expect(files, `files of: ${name}`).toBeLessThanOrEqual(most.files);
    expect(functions, `functions of: ${name}`).toBeLessThanOrEqual(most.functions);
  }
}, 300_000);
