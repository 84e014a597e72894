import { onTestFinished } from 'vitest';
import type { Wallet } from '../../src/base/core/wallet.ts';
import type { MailConfig } from '../../src/base/platform/config/mail.ts';
import { rowsOf } from '../../src/base/platform/test/rows.ts';
import type { ReceiptStatus } from '../../src/domain/sales/receipts/lifecycle.ts';
import { lockReceiptOrRefuse, recordChange } from '../../src/domain/sales/receipts/record-change.ts';
import { listMails, type MailRecord } from '../../src/domain/webhooks/mail/mails.ts';
import { startMailWorker } from '../../src/domain/webhooks/mail/worker.ts';
import { composeMail } from '../../src/doors/pages/mail/compose.ts';
import { openMailServer } from '../support/mail-server.ts';
import { until } from '../support/program.ts';
import { startTestServer, type TestMerchant } from '../support/server.ts';

/** A server with a shop, a real SMTP server, and the worker that sends to it. */
export async function openMailShop(env: Readonly<Record<string, string>> = {}, name = 'Café Müller') {
  const smtp = await openMailServer();
  const now = { ms: Date.now() };
  const server = await startTestServer({
    env: { SMTP_URL: smtp.url, MAIL_FROM: 'payments@pay.example', ...env },
    clock: () => now.ms,
  });
  const shop = await server.merchant({ name });
  const startWorker = () => startMailWorker(server.deps, (mail) => composeMail(server.deps, mail));
  const run = (text: string, values: readonly unknown[] = []) =>
    server.deps.db.orm.em
      .fork()
      .getConnection()
      .execute(text, values as unknown[]);
  const mails = (merchant: Wallet = shop.wallet) => rowsOf(listMails(server.deps.db, merchant), { limit: 200 });
  return {
    ...{ smtp, server, shop, now, mails, run, startWorker, deps: server.deps },
    /** Leaves no message and no row of these tables, and a server that takes what comes. */
    async empty(...tables: readonly string[]): Promise<void> {
      smtp.arrived.length = 0;
      smtp.refuse = () => null;
      for (const table of ['mail_messages', 'mail_counts', ...tables]) await run(`delete from ${table}`);
      await run("delete from jobs where queue = 'mail'");
    },
    /** Has no message wait for its time. */
    dueNow: () => run("update jobs set due_at = 0 where queue = 'mail'"),
    /** Changes the settings of e-mail until the test ends; null: none is sent. */
    configure(change: Partial<MailConfig> | null): void {
      const { mail } = server.deps.settings;
      Object.assign(server.deps.settings, { mail: change && { ...mail!, ...change } });
      onTestFinished(() => void Object.assign(server.deps.settings, { mail }));
    },
    /** Starts the worker until the test ends. */
    work() {
      const worker = startWorker();
      onTestFinished(() => worker.stop());
      return worker;
    },
    /** Orders by the API, for a buyer with this address; the id of the receipt. */
    async order(body: object, { auth }: Pick<TestMerchant, 'auth'> = shop): Promise<string> {
      const path = '/api/receipts';
      const id = `receipt-${Math.random().toString(36).slice(2)}`;
      const answer = await server.call('POST', path, {
        headers: auth,
        body: { id, lineItems: [{ label: 'Tea', priceUsd: 5 }], ...body },
      });
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
      return answer.body.receipt?.receiptId ?? id;
    },
    /** Moves a receipt through these statuses, each in a transaction of its own. */
    async move(id: string, ...statuses: readonly ReceiptStatus[]): Promise<void> {
      for (const to of statuses) await change(shop.wallet, id, to);
    },
    /** Has a receipt of a merchant paid. */
    async pay(id: string, merchant: Wallet): Promise<void> {
      for (const to of ['tx_mined', 'paid'] as const) await change(merchant, id, to);
    },
    /** Waits until the messages match. */
    async until(wanted: (mails: readonly MailRecord[]) => boolean): Promise<readonly MailRecord[]> {
      return until(async () => {
        const all = await mails();
        return wanted(all) && all;
      });
    },
    async stop() {
      await server.stop();
      await smtp.close();
    },
  };

  function change(merchant: Wallet, id: string, to: ReceiptStatus): Promise<void> {
    return server.deps.db.transaction(async (uow) => {
      const receipt = await lockReceiptOrRefuse(uow, merchant, id);
      await recordChange(server.deps, uow, receipt, { kind: 'status', to }, { actor: 'test' });
    });
  }
}

export type MailShop = Awaited<ReturnType<typeof openMailShop>>;
