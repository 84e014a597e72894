import { refuse } from '../../base/core/errors.ts';
import { readConfig } from '../../base/platform/config/config.ts';
import { quarantinedIn } from '../../base/platform/journal.ts';
import { recordOperation } from '../../base/records/audit/record-operation.ts';
import { JOURNAL, type JournalledOrder } from '../../domain/sales/orders/journal-order.ts';
import { retryQuarantined } from '../../domain/sales/orders/replay-journal.ts';
import { counted } from './counted.ts';
import { withDeps } from './open-deps.ts';
import { print } from './print.ts';

/** `quittance journal list`. Needs no database. */
export async function journalList({ json }: { json?: boolean }): Promise<void> {
  const entries = quarantinedIn(readConfig().dataDir, JOURNAL).map(({ id, at, reason, entry }) => {
    const { receipt } = (entry ?? {}) as Partial<JournalledOrder>;
    return { id, at, reason, receiptId: receipt?.id ?? null, merchant: receipt?.merchant ?? null };
  });
  const lines = entries.map(
    ({ id, at, reason, receiptId, merchant }) =>
      `${id}  ${new Date(at).toISOString()}  ${receiptId ?? 'no receipt'}  ${merchant ?? 'no merchant'}  ${reason}`,
  );
  print(entries, json, lines.length > 0 ? lines : ['Every acknowledged order is booked or waits for the database.']);
}

/** `quittance journal retry`. Exits with 1 if an order could not be inserted. */
export async function journalRetry({ json }: { json?: boolean }): Promise<void> {
  const { booked, setAside } = await withDeps(retryQuarantined);
  print({ ok: setAside.length === 0, booked, setAside }, json, [
    `${counted(booked, 'order is', 'orders are')} in the database.`,
    ...setAside.map((reason) => `One stays in the quarantine: ${reason}`),
  ]);
  if (setAside.length > 0) process.exitCode = 1;
}

/** `quittance journal discard` */
export async function journalDiscard(id: string, { reason, json }: { reason: string; json?: boolean }): Promise<void> {
  const discarded = await withDeps(async (deps) => {
    const found = deps.journal.quarantined().find((one) => one.id === id);
    if (!found) throw refuse('not_found', 'The quarantine has no entry with this id');
    const receiptId = (found.entry as Partial<JournalledOrder> | null)?.receipt?.id ?? id;
    await recordOperation(deps, 'order.discarded', ['receipt', receiptId], { reason, cause: found.reason });
    return deps.journal.discard(id);
  });
  print({ ok: true, discarded }, json, [`${id} is discarded. Its line is kept in discarded.jsonl.`]);
}
