import { expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '../../support/database.ts';
import { openReceiver } from '../../support/receiver.ts';
import { openRelay } from '../../support/relay.ts';
import { startTestServer } from '../../support/server.ts';

/**
 * How many pieces pass between server and database before it goes away: before, during and after the statements of an
 * order.
 */
const PIECES = [0, 1, 2, 3, 5, 8, 13];
const KINDS = {
  'with a webhookUrl': { items: [{ sku: 'A', qty: 1 }] },
  'over nothing with a webhookUrl': { items: [{ sku: 'FREE', qty: 1 }] },
};

test.each(['cut', 'hang'] as const)(
  'an order with a webhookUrl that is sent in the moment the database goes away (%s) is accepted, booked once, and its webhook follows',
  async (how) => {
    const receiver = await openReceiver();
    const relay = await openRelay(await testDatabase());
    const server = await startTestServer({ databaseUrl: relay.url, worker: true });
    onTestFinished(async () => {
      await relay.comeBack();
      await server.stop();
    });
    const merchant = await server.merchant();
    const item = (body: object) => server.call('POST', '/api/inventory', { headers: merchant.auth, body });
    await item({ sku: 'A', name: 'A', priceUsd: 10 });
    await item({ sku: 'FREE', name: 'Free', priceUsd: 0 });
    const order = (body: object, headers: Record<string, string> = {}) =>
      server.call('POST', '/api/orders', {
        headers: { ...merchant.auth, ...headers },
        body: { ...body, webhookUrl: receiver.url },
      });
    const acknowledged: string[] = [];
    const free: string[] = [];
    const cases = Object.entries(KINDS).flatMap(([name, body]) =>
      [false, true].map((keyed) => ({ name, body, keyed })),
    );
    for (const { name, body, keyed } of cases) {
      for (const pieces of how === 'cut' ? PIECES : PIECES.filter((n) => n % 3 === 0)) {
        const warm = await order(body);
        expect(warm.status).toBe(200);
        acknowledged.push(warm.body.receipt.receiptId);
        // Another process has changed something of the merchant: what is kept here is of an older version.
        if (pieces % 2 === 1) {
          await server.deps.db.orm.em
            .fork()
            .getConnection()
            .execute('update merchants set version = version + 1 where wallet = ?', [merchant.wallet]);
        }
        const giveUp = relay.goAwayAfter(pieces, how);
        const { status, body: answer } = await order(body, keyed ? { 'idempotency-key': `${name} ${pieces}` } : {});
        giveUp();
        expect([name, keyed, pieces, status, answer.error]).toEqual([name, keyed, pieces, 200, undefined]);
        acknowledged.push(answer.receipt.receiptId);
        if (name.startsWith('over')) free.push(warm.body.receipt.receiptId, answer.receipt.receiptId);
        await relay.comeBack();
        const ready = async () => (await server.call('GET', '/readyz?for=orders')).status;
        await expect.poll(ready).toBe(200);
        await expect.poll(() => server.deps.journal.pending()).toBe(false);
        await expect
          .poll(async () => (await order(body)).body.degraded ?? false, { timeout: 60_000, interval: 200 })
          .toBe(false);
      }
    }
    const rows = await server.deps.db.orm.em
      .fork()
      .getConnection()
      .execute('select id from receipts where id in (?)', [acknowledged]);
    expect(rows).toHaveLength(acknowledged.length);
    for (const id of free) await receiver.about(id, 'reconciled');
  },
  180_000,
);
