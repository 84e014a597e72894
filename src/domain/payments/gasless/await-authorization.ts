import { setTimeout } from 'node:timers/promises';
import type { Chain } from '../../../base/chain/client.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { AuthorizationRow } from './authorization.entity.ts';
import { findAuthorization } from './store.ts';

/**
 * Waits until an authorization is credited or has failed, at most `waitMs`. Returns it as it is then. The workers
 * follow its transaction; this only reads what they record.
 */
export async function awaitAuthorization(
  db: Db,
  chain: Chain,
  sent: AuthorizationRow,
  waitMs: number,
): Promise<AuthorizationRow> {
  const pollMs = Math.min(chain.client.pollingInterval, 1_000);
  let row = sent;
  const untilMs = performance.now() + waitMs;
  while (performance.now() < untilMs && (row.state === 'sent' || row.state === 'mined')) {
    await setTimeout(pollMs);
    row = (await findAuthorization(db, sent)) ?? row;
  }
  return row;
}
