/**
 * Webhook deliveries per second: the worker with all its bookkeeping, against a loop that only signs and fetches. A
 * process of its own, so that neither the bench's load nor the server is in its way; forked by the bench, it answers
 * each message (`ours` or `bare`) with a round.
 */

import { createHmac, randomUUID } from 'node:crypto';
import { openDeps } from '../../src/app/deps.ts';
import { completeSettings } from '../../src/app/settings.ts';
import type { StatusUpdated } from '../../src/base/core/events.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { readConfig } from '../../src/base/platform/config/config.ts';
import { createLog } from '../../src/base/platform/log/log.ts';
import { payloadOf } from '../../src/domain/webhooks/delivery/enqueue.ts';
import { enqueueDeliveries } from '../../src/domain/webhooks/delivery/queue.ts';
import { startWebhookWorker } from '../../src/domain/webhooks/delivery/worker.ts';
import { runStatement, statement } from '../support/statement.ts';
import type { Round } from './rounds.ts';

const { HOOK, MERCHANT, KEY, KEY_ID, DATABASE_URL, RPC_URL } = process.env as Record<string, string>;
const DELIVERIES = Number(process.env.DELIVERIES);
const FETCHES = 32;
const CHUNK = 1_000;

const deps = await openDeps(
  completeSettings(readConfig(), { databaseUrl: DATABASE_URL as string, rpcUrl: RPC_URL as string }),
  createLog('error'),
);

const OWE = statement(
  'bench-owe',
  `insert into webhook_deliveries (id, merchant, receipt_id, seq, event, url, key_id, body, state, created_at)
   select x.id, $2, x.receipt, 1, 'receipt.status_updated', $3, $4, x.body, 'pending', 0
     from json_to_recordset($1::text::json) as x(id text, receipt text, body text)`,
);
const LEFT = statement('bench-left', `select 1 from webhook_deliveries where state = 'pending' limit 1`);

/** The webhook body, the same for both. */
const EVENT: Omit<StatusUpdated, 'receiptId'> = {
  merchant: MERCHANT as Wallet,
  seq: 1,
  status: 'paid',
  previousStatus: 'pending',
  failure: null,
  transactionHash: `0x${'1'.repeat(64)}`,
  buyerWallet: `0x${'2'.repeat(40)}` as Wallet,
  totalCents: 11_005,
  customerTotalCents: 11_005,
  onrampSourceAmountCents: null,
  onrampSessionId: null,
  token: 'USDC',
  transactionId: null,
  metadata: { a: 1 },
  webhookUrl: HOOK as string,
  keyId: KEY_ID as string,
  at: 1_700_000_000_000,
};
const bodyOf = (receiptId: string) => JSON.stringify(payloadOf({ ...EVENT, receiptId }, 'bench'));

/** How many deliveries the receiver has taken, which is cheaper to ask than the database. */
const arrived = async () => Number(await (await fetch(HOOK as string)).text());

async function until(done: () => Promise<boolean>): Promise<void> {
  while (!(await done())) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** The CPU time of this process for each delivery since `before`, in microseconds. */
function cpuUs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / DELIVERIES;
}

/** Owes many deliveries, then measures how long the worker needs until the outcome of each is written. */
async function ours(): Promise<Round> {
  for (let made = 0; made < DELIVERIES; made += CHUNK) {
    const rows = Array.from({ length: Math.min(CHUNK, DELIVERIES - made) }, () => {
      const id = randomUUID();
      return { id, receipt: id, body: bodyOf(id) };
    });
    await runStatement(deps.db, OWE, [JSON.stringify(rows), MERCHANT, HOOK, KEY_ID]);
    await deps.db.transaction((uow) =>
      enqueueDeliveries(
        uow,
        rows.map(({ id }) => ({ id, url: HOOK as string })),
      ),
    );
  }
  const expected = (await arrived()) + DELIVERIES;
  const startMs = performance.now();
  const before = process.cpuUsage();
  const worker = await startWebhookWorker(deps);
  await until(async () => (await arrived()) >= expected);
  await until(async () => (await runStatement(deps.db, LEFT, [])).length === 0);
  const tookMs = performance.now() - startMs;
  const serverUs = cpuUs(before);
  await worker.stop();
  return { perSecond: (DELIVERIES / tookMs) * 1000, serverUs };
}

async function bare(): Promise<Round> {
  const startMs = performance.now();
  const before = process.cpuUsage();
  let sent = 0;
  const loop = async () => {
    while (sent++ < DELIVERIES) {
      const id = randomUUID();
      const body = bodyOf(id);
      const signature = createHmac('sha256', KEY as string)
        .update(body)
        .digest('hex');
      const headers = {
        'content-type': 'application/json',
        'x-service-signature': `sha256=${signature}`,
        'x-service-delivery': id,
      };
      const answer = await fetch(HOOK as string, { method: 'POST', body, headers });
      await answer.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: FETCHES }, loop));
  return { perSecond: (DELIVERIES / (performance.now() - startMs)) * 1000, serverUs: cpuUs(before) };
}

process.on('message', async (message) => {
  process.send?.(await (message === 'ours' ? ours() : bare()));
});
process.on('disconnect', () => deps.close());
process.send?.('ready');
