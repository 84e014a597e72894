import pg from 'pg';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { startTestChain } from '../../../src/base/chain/test/anvil.ts';
import { stock } from '../../contract/catalog.ts';
import { ask } from '../../graphql/ask.ts';
import { openEventReceiver } from '../../support/event-receiver.ts';
import { makeDataDir, until } from '../../support/program.ts';
import { openReceiver } from '../../support/receiver.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { openPostgresql } from '../../support/services/postgresql.ts';
import { commands } from '../cli/run.ts';

/** How many receipts the dump has beside those of the test. `npm run long -- restore` asks for many. */
const RECEIPTS = Number(process.env.RESTORE_RECEIPTS ?? 100);

const postgresql = openPostgresql();
afterAll(postgresql.remove);
const chain = await startTestChain();
afterAll(chain.stop);

/** A server with an empty DATA_DIR, as after the loss of its machine; `stop` may be called twice. */
async function serverOn(databaseUrl: string, env: Record<string, string> = {}): Promise<TestServer> {
  const all = { RPC_URL: chain.rpcUrl, CONFIRMATIONS: '1', ...env };
  const server = await startTestServer({ worker: true, databaseUrl, env: all });
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= server.stop());
  onTestFinished(stop);
  return { ...server, stop };
}

/** Runs one statement, and gives its first value. */
async function firstValue<T>(databaseUrl: string, text: string): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query({ text, rowMode: 'array' })).rows[0]?.[0];
  } finally {
    await client.end();
  }
}

const withDatabase = (url: string, name: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href;
/** Without the parameters that only this product reads. */
const forPrograms = (url: string) => url.split('?')[0] as string;

/** Waits until everything that was written so far is in the archive. */
async function archive(databaseUrl: string): Promise<void> {
  const segment = await firstValue<string>(databaseUrl, 'select pg_walfile_name(pg_switch_wal())');
  await until(() => firstValue(databaseUrl, `select last_archived_wal >= '${segment}' from pg_stat_archiver`));
}

const renewEpoch = (databaseUrl: string, { deps }: Pick<TestServer, 'deps'>) =>
  commands({
    ...{ DATABASE_URL: databaseUrl, RPC_URL: chain.rpcUrl, DATA_DIR: makeDataDir() },
    KEY_ENCRYPTION_KEY: deps.settings.keyEncryptionKey,
  }).json('epoch', 'renew');

const QUOTE = 'mutation ($id: ID!) { quotePayment(receiptId: $id, token: "USDC") { amount } }';
const PAY = 'mutation ($id: ID!) { payWithTestWallet(receiptId: $id, token: "USDC") { transactionHash } }';

/** A shop on a new database whose log is archived, and what its customers and endpoints do. */
async function openShop() {
  const primary = await postgresql.start('primary', postgresql.archiving);
  await postgresql.program(
    'createdb',
    '--maintenance-db',
    forPrograms(withDatabase(primary.databaseUrl, 'postgres')),
    'quittance',
  );
  const server = await serverOn(primary.databaseUrl);
  const merchant = await server.merchant();
  const session = await server.signIn(merchant.account);
  await stock(server, merchant, [{ sku: 'TEA', priceUsd: 10 }]);
  let accepts = true;
  const hook = await openReceiver(() => accepts);
  const events = await openEventReceiver();
  const endpoint = { url: events.url, kinds: ['receipt.paid'] };
  expect((await server.call('POST', '/api/webhooks/endpoints', { headers: session, body: endpoint })).status).toBe(201);
  return {
    ...{ primary, server, merchant, hook, events },
    /** Whether the address of the receipts' webhooks answers. */
    accept: (now: boolean) => {
      accepts = now;
    },
    async order(on: TestServer, key: string): Promise<string> {
      const headers = { ...merchant.auth, 'idempotency-key': key };
      const body = { items: [{ sku: 'TEA', qty: 1 }], webhookUrl: hook.url };
      const answer = await on.call('POST', '/api/orders', { headers, body });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return answer.body.receipt.receiptId;
    },
    report: (receiptId: string) =>
      server.call('POST', '/api/receipts/status', {
        headers: merchant.auth,
        body: { receiptId, wallet: merchant.wallet, status: 'checkout_initialized' },
      }),
    async quote(id: string): Promise<void> {
      expect((await ask(server, session, QUOTE, { id })).body.errors).toBeUndefined();
    },
    async pay(id: string): Promise<void> {
      expect((await ask(server, session, PAY, { id })).body.errors).toBeUndefined();
    },
    /** Lets blocks pass until the receipt is paid. */
    paid: (on: TestServer, id: string) =>
      until(async () => {
        await chain.control.mine({ blocks: 1 });
        return ['paid', 'reconciled', 'completed'].includes(await statusOn(on, id));
      }),
    feed: (on: TestServer, query = '') => on.call('GET', `/api/events${query}`, { headers: merchant.auth }),
    read: (on: TestServer, id: string) => on.call('GET', `/api/receipts/${id}`, { headers: merchant.auth }),
  };

  async function statusOn(on: TestServer, id: string): Promise<string> {
    return (await on.call('GET', `/api/receipts/status?receiptId=${id}`, { headers: merchant.auth })).body.status;
  }
}

const idOf = ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }) => headers['webhook-id'];

test(
  'a restore to an earlier moment finds what was paid since, repeats webhooks under their ids, and refuses old cursors',
  async () => {
    const shop = await openShop();
    const { primary, server, hook, events } = shop;
    const quoted = await shop.order(server, 'quoted');
    await shop.quote(quoted);
    await postgresql.program(
      'pg_basebackup',
      '-d',
      forPrograms(primary.databaseUrl),
      '-D',
      'restored',
      '--checkpoint=fast',
    );
    const paidBefore = await shop.order(server, 'paid before');
    await shop.pay(paidBefore);
    await shop.paid(server, paidBefore);
    // The moment: a webhook has been sent and not been answered, a receipt is about to be paid.
    shop.accept(false);
    const waiting = await shop.order(server, 'waiting');
    await shop.report(waiting);
    const [unanswered] = await hook.about(waiting, 'checkout_initialized');
    await firstValue(primary.databaseUrl, `select pg_create_restore_point('the moment')`);

    shop.accept(true);
    await hook.about(waiting, 'checkout_initialized', 2);
    await shop.pay(quoted);
    await shop.paid(server, quoted);
    const [sent] = await hook.about(quoted, 'paid');
    const sentEvent = await until(() => events.received.find(({ event }) => event.data.receiptId === quoted));
    const lost = await shop.order(server, 'lost');
    await shop.pay(lost);
    await shop.paid(server, lost);
    const cursor = await until(async () => {
      const { body } = await shop.feed(server);
      return body.events.length >= 4 && (body.nextCursor as string);
    });
    await archive(primary.databaseUrl);
    await server.stop();
    await primary.stop('SIGQUIT');

    hook.received.length = 0;
    events.received.length = 0;
    postgresql.recover('restored');
    const restored = await postgresql.start('restored', {
      ...postgresql.restoring,
      recovery_target_name: 'the moment',
    });
    expect(await renewEpoch(restored.databaseUrl, server)).toMatchObject({ ok: true });
    const after = await serverOn(restored.databaseUrl);
    const refused = await shop.feed(after, `?after=${cursor}`);
    expect([refused.status, refused.body.error]).toEqual([410, 'cursor_expired']);
    expect((await shop.feed(after, `?after=${refused.body.resumeAfter}`)).status).toBe(200);

    // The chain is read on from where the restored watcher stood.
    await shop.paid(after, quoted);
    expect(idOf((await hook.about(quoted, 'paid'))[0]!)).toBe(idOf(sent!));
    const [repeated, ...more] = await events.of('receipt.paid');
    expect(more).toEqual([]);
    expect([repeated!.event.id, idOf(repeated!)]).toEqual([sentEvent.event.id, idOf(sentEvent)]);
    expect(idOf((await hook.about(waiting, 'checkout_initialized'))[0]!)).toBe(idOf(unanswered!));

    // A lost order has no receipt, and its payment stays at its address, from where its record collects it. Repeated
    // with its key, it has the id that its buyer knows.
    expect((await shop.read(after, lost)).status).toBe(404);
    expect(await shop.order(after, 'paid before')).toBe(paidBefore);
    expect([quoted, paidBefore, waiting, lost]).not.toContain(await shop.order(after, 'new'));
    expect(await shop.order(after, 'lost')).toBe(lost);

    await restoreDump(restored.databaseUrl, after, shop, [quoted, paidBefore]);
  },
  300_000 + RECEIPTS * 20,
);

/** Adds completed receipts, and waits until they are in the search, which is part of a dump. */
async function addReceipts(databaseUrl: string, merchant: string): Promise<void> {
  await firstValue(
    databaseUrl,
    `with added as (
       insert into receipts (merchant, id, origin, status, announced_status, total_cents, currency, line_items,
                             brand_name, billing_address, closed_at, created_at, updated_at)
       select '${merchant}', 'many-' || n, 'receipt', 'completed', 'completed', 1000 + n, 'USD',
              '[{"label": "Tea", "priceCents": 1000}]', 'Shop',
              jsonb_build_object('email', 'buyer-' || n || '@shop.example'), n, n, n
         from generate_series(1, ${RECEIPTS}) n returning id, created_at)
     insert into receipt_history (merchant, receipt_id, seq, kind, status, actor, at)
     select '${merchant}', id, 1, 'status', 'completed', 'test', created_at from added`,
  );
  const isIndexed = 'select (select count(*) from receipt_search) >= (select count(*) from receipts)';
  await until(() => firstValue(databaseUrl, isIndexed), { timeoutMs: 900_000 });
}

/** Dumps the database beside its server, and serves it from a new cluster after the loss of the key. */
async function restoreDump(
  databaseUrl: string,
  server: TestServer,
  { merchant, read, feed }: Awaited<ReturnType<typeof openShop>>,
  paid: readonly string[],
): Promise<void> {
  await addReceipts(databaseUrl, merchant.wallet);
  const cursor = (await feed(server)).body.nextCursor as string;
  await postgresql.program('pg_dump', '--format=custom', '--file=quittance.dump', forPrograms(databaseUrl));
  await server.stop();

  const begun = performance.now();
  const empty = await postgresql.start('empty');
  const [url, to] = [empty.databaseUrl, forPrograms(empty.databaseUrl)];
  const maintenance = forPrograms(withDatabase(url, 'postgres'));
  await postgresql.program('createdb', `--maintenance-db=${maintenance}`, '--template=template0', 'quittance');
  await postgresql.program('pg_restore', '--exit-on-error', '--no-owner', `--dbname=${to}`, 'quittance.dump');
  await firstValue(url, `update secret_checks set value = '' where name = 'KEY_ENCRYPTION_KEY'`);
  const again = await serverOn(url, { KEY_ENCRYPTION_KEY: 'another key of thirty-two bytes or more' });
  const booked = await again.call('POST', '/api/orders', {
    headers: merchant.auth,
    body: { items: [{ sku: 'TEA', qty: 1 }] },
  });
  expect(booked.status).toBe(200);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  console.log(`${seconds} s from an empty machine to serving with ${RECEIPTS} receipts`);

  for (const id of paid) expect((await read(again, id)).body).toMatchObject({ receiptId: id, totalUsd: 10.05 });
  // Another cluster is detected without a command.
  expect((await feed(again, `?after=${cursor}`)).body.error).toBe('cursor_expired');
}
