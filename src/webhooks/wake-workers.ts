import type { PgBoss } from 'pg-boss';
import type { Logger } from '../platform/log.ts';
import { logFailure } from '../platform/outage.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';

const CHANNEL = 'webhooks_owed';
const AGAIN_MS = 5_000;

/** Rings for the workers of every process when the transaction commits. */
export async function ringForOwed(uow: UnitOfWork): Promise<void> {
  await uow.sql(`select pg_notify('${CHANNEL}', '')`);
}

/**
 * Calls `onRing` when a transaction that rang has committed, and after every gap in listening. Rings are only there to save time: who listens looks for
 * work now and then anyway.
 */
export function listenForOwed(boss: PgBoss, log: Logger, onRing: () => void): { close(): Promise<void> } {
  let closed = false;
  let handle: { close(): Promise<void> } | null = null;
  let again: NodeJS.Timeout | undefined;

  async function open(): Promise<void> {
    try {
      handle = (await boss.getDb().listen?.(CHANNEL, onRing, onRing)) ?? null;
    } catch (error) {
      logFailure(log, error, 'not listening for webhooks; looking for them now and then');
      if (!closed) again = setTimeout(reopen, AGAIN_MS);
    }
  }

  function reopen(): void {
    opening = open();
  }

  let opening = open();
  return {
    async close() {
      closed = true;
      clearTimeout(again);
      await opening;
      await handle?.close();
    },
  };
}
