import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, inject, onTestFinished, test } from 'vitest';
import { findFreePort } from '../../../src/base/platform/embedded/process.ts';
import { lockReceiptOrRefuse, recordChange } from '../../../src/domain/sales/receipts/record-change.ts';
import { Dice } from '../../support/seeded.ts';
import { startTestServer } from '../../support/server.ts';
import { runStatement, statement } from '../../support/statement.ts';

/** `npm run long -- mail` pays ten thousand. */
const RECEIPTS = Number(process.env.MAIL_RECEIPTS ?? 300);
/** About so many kills happen until all have arrived. */
const KILLS = 12;
/** Nothing arrives for so long only if something is wrong, on however slow a machine. */
const STALLED_MS = 120_000;
/** Chooses what is killed, and when. */
const SEED = Number(process.env.MAIL_SEED ?? 41);

const INSERT = statement(
  'receipts-to-pay',
  `insert into receipts (merchant, id, origin, status, seq, announced_status, total_cents, currency, line_items,
     brand_name, billing_address, stock_taken, created_at, updated_at)
   select $1, 'R-' || i, 'order', 'tx_mined', 1, 'tx_mined', 500, 'USD', '[]', 'x',
          jsonb_build_object('email', 'b' || i || '@example.com'), true, 1, 1 from generate_series(1, $2::int) i`,
);
/** What messages wait for, with the seconds until they are due: the first and the last of them. */
const WAITING = statement(
  'mails-waiting',
  `select m.state, m.answer, j.claims, count(*)::int as messages,
          min(j.due_at / 1000 - extract(epoch from clock_timestamp()))::int as first,
          max(j.due_at / 1000 - extract(epoch from clock_timestamp()))::int as last
     from mail_messages m left join jobs j on j.queue = 'mail' and j.data ->> 'id' = m.id
    where m.state <> 'sent' group by 1, 2, 3 order by 4 desc limit 20`,
);
/** Messages that wait after a failure: the claim of one that a worker sends reaches half a minute ahead at most. */
const RETRIED = statement(
  'mails-retried',
  `update jobs set due_at = 0
   where queue = 'mail' and due_at > extract(epoch from clock_timestamp()) * 1000 + 31000`,
);
const DUE = statement('mails-due', "update jobs set due_at = 0 where queue = 'mail' and claims < 100 and due_at > 0");

function start(file: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const program = join(import.meta.dirname, 'mail', file);
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

test('every paid receipt has its message, though worker and SMTP server are killed, and at most one twice for each kill', async () => {
  const file = join(tmpdir(), `MAIL-kept-${process.pid}.txt`);
  writeFileSync(file, '');
  const smtpPort = String(await findFreePort());
  const mail = {
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    MAIL_FROM: 'payments@pay.example',
    MAILS_PER_DAY: '1000000',
  };
  const server = await startTestServer({ env: mail });
  const { wallet } = await server.merchant();
  const { settings } = server.deps;
  const env = {
    ...{ ...mail, NODE_ENV: 'test', DATA_DIR: settings.dataDir, DATABASE_URL: settings.databaseUrl },
    ...{ RPC_URL: inject('rpcUrl'), CHAIN_ID: String(inject('chainId')), BASE_URL: settings.baseUrl },
    KEY_ENCRYPTION_KEY: settings.keyEncryptionKey,
  };
  const starts = [() => start('worker.ts', [], env), () => start('server.ts', [smtpPort, file])] as const;
  const running = starts.map((begin) => begin());
  onTestFinished(async () => {
    for (const child of running) child.kill('SIGKILL');
    await server.stop();
    rmSync(file);
  });

  await runStatement(server.deps.db, INSERT, [wallet, RECEIPTS]);
  const pay = async () => {
    for (let i = 1; i <= RECEIPTS; i++)
      await server.deps.db.transaction(async (uow) => {
        const receipt = await lockReceiptOrRefuse(uow, wallet, `R-${i}`);
        await recordChange(server.deps, uow, receipt, { kind: 'status', to: 'paid' }, { actor: 'test' });
      });
  };
  const arrived = () => readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const paying = pay();
  const untilSo = async (isSo: () => Promise<boolean>) => {
    let [known, since] = [arrived().length, performance.now()];
    while (!(await isSo())) {
      const now = arrived().length;
      if (now > known) [known, since] = [now, performance.now()];
      if (performance.now() - since > STALLED_MS)
        throw new Error(`${known} have arrived: ${JSON.stringify(await runStatement(server.deps.db, WAITING, []))}`);
      await pause(50);
    }
  };

  const dice = new Dice(SEED);
  const kills = [0, 0];
  while (arrived().length < RECEIPTS) {
    const goal = Math.min(RECEIPTS, arrived().length + 1 + dice.below((2 * RECEIPTS) / KILLS));
    await untilSo(async () => {
      // One that ends by itself would be missed only by what does not arrive.
      for (const { exitCode, spawnargs } of running) expect(exitCode, spawnargs.join(' ')).toBeNull();
      await runStatement(server.deps.db, RETRIED, []);
      return arrived().length >= goal;
    });
    if (arrived().length >= RECEIPTS) break;
    const which = dice.below(starts.length);
    const killed = running[which]!;
    killed.kill('SIGKILL');
    // The next server listens on the same port.
    await once(killed, 'exit');
    running[which] = starts[which]!();
    kills[which]! += 1;
    // What the dead worker had claimed is due at once, as time is not what is tested.
    await runStatement(server.deps.db, DUE, []);
  }
  await paying;
  await untilSo(async () => {
    await runStatement(server.deps.db, DUE, []);
    return (await runStatement(server.deps.db, WAITING, [])).length === 0;
  });

  const all = arrived().map((line) => line.split(' ') as [id: string, to: string]);
  const byReceiver = Map.groupBy(all, ([, to]) => to);
  expect(byReceiver.size).toBe(RECEIPTS);
  expect(new Set(all.map(([id]) => id)).size).toBe(RECEIPTS);
  for (const sent of byReceiver.values()) expect(new Set(sent.map(([id]) => id)).size).toBe(1);
  const twice = all.length - RECEIPTS;
  const [workers, servers] = kills as [number, number];
  process.stdout.write(
    `${RECEIPTS} receipts, ${workers} kills of the worker, ${servers} of the SMTP server: ${all.length} messages arrived, ${twice} twice\n`,
  );
  expect(Math.min(workers, servers)).toBeGreaterThan(0);
  expect(twice).toBeLessThanOrEqual(workers + servers);
}, 3_600_000);
