import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { root } from '../gates/sources.ts';
import { makeDataDir, startQuittance, until } from '../support/program.ts';

/** The functions of `src` that an action ran, and the files that hold them. */
interface Journey {
  readonly files: number;
  readonly functions: number;
}

/**
 * The most that an action may run beyond what an idle server does. Lower a number when the count falls. Who needs more
 * raises it, and says why in the commit.
 */
const MOST = {
  order: { files: 75, functions: 240 },
  'order, payment page, transfer and payout': { files: 245, functions: 920 },
  'list of receipts': { files: 56, functions: 145 },
} satisfies Record<string, Journey>;

const PAY = 'mutation ($id: ID!) { payWithTestWallet(receiptId: $id, token: "USDC") { transactionHash } }';

/** What runs while nothing is asked is no part of an action: samples are taken until so many in a row bring nothing. */
const QUIET_SAMPLES = 4;
const SAMPLE_MS = 1_500;

test('an order, a payment and a list pass so many files and functions', async () => {
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
  const order = async (): Promise<{ receiptId: string; paymentUrl: string }> => {
    const body = { items: [{ sku: 'MUG-STONE', qty: 1 }] };
    const { receipt, paymentUrl } = (await call('POST', '/api/orders', { headers: auth, body })).body;
    return { receiptId: receipt.receiptId, paymentUrl };
  };
  const list = () => call('GET', '/api/receipts?limit=50', { headers: auth });
  const settle = async () => {
    const { receiptId, paymentUrl } = await order();
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
  };

  const actions: Record<keyof typeof MOST, () => Promise<unknown>> = {
    order,
    'order, payment page, transfer and payout': settle,
    'list of receipts': list,
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
  for (const [name, act] of Object.entries(actions)) {
    await act();
    const own = (await ran()).filter((one) => !idle.has(one));
    counted[name] = { files: new Set(own.map((one) => one.split(' ')[0])).size, functions: own.length };
  }
  console.log(counted);
  for (const [name, { files, functions }] of Object.entries(counted)) {
    const most = MOST[name as keyof typeof MOST];
    expect(files, `files of: ${name}`).toBeLessThanOrEqual(most.files);
    expect(functions, `functions of: ${name}`).toBeLessThanOrEqual(most.functions);
  }
}, 300_000);
