import type { PgBoss } from 'pg-boss';
import type { Logger } from '../../base/platform/log/log.ts';
import { logFailure } from '../../base/platform/log/outage.ts';
import { notify } from '../../base/platform/pg-notifications.ts';
import type { UnitOfWork } from '../../base/platform/unit-of-work.ts';

const CHANNEL = 'webhooks_owed';
const AGAIN_MS = 5_000;

/** Notifies the workers of every process when the transaction commits. */
export async function notifyWorkers(uow: UnitOfWork): Promise<void> {
  await notify(uow, CHANNEL, '');
}

/**
 * Calls `onNotify` when a transaction that notified has committed, and after every gap in the connection. Notifications
 * only reduce latency: workers also poll.
 */
export function listenForDeliveries(boss: PgBoss, log: Logger, onNotify: () => void): { close(): Promise<void> } {
  let closed = false;
  let handle: { close(): Promise<void> } | null = null;
  let again: NodeJS.Timeout | undefined;

  async function open(): Promise<void> {
    try {
      handle = (await boss.getDb().listen?.(CHANNEL, onNotify, onNotify)) ?? null;
    } catch (error) {
      logFailure(log, error, 'webhook notifications unavailable; polling instead');
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
