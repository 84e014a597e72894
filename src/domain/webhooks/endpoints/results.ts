import { sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { ClockAndSettings } from '../../../base/platform/deps.ts';
import type { Logger } from '../../../base/platform/log/log.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { type ColumnTypes, type RowList, rowList, rowsIn } from '../../../base/platform/postgres/row-list.ts';
import { enqueueNotice } from '../mail/enqueue.ts';
import { disableEndpoints } from './state.ts';

/** An endpoint whose attempts have all failed for this long is disabled. */
const FAILING_MS = 5 * 86_400_000;

/** The attempts of one endpoint in a batch. */
interface EndpointResult {
  readonly merchant: Wallet;
  readonly id: string;
  readonly ok: boolean;
  /** The first attempt, epoch ms. */
  readonly at: number;
}

const RESULT: ColumnTypes<EndpointResult> = { merchant: 'text', id: 'text', ok: 'boolean', at: 'bigint' };

/** Writes only what changes: the first failure after a success, and the first success after a failure. */
const RECORD = query('webhook-endpoint-results', (db, $: { results: RowList<EndpointResult> }) => {
  const { table, columns } = rowsIn($.results, 'given', RESULT);
  return db
    .updateTable('WebhookEndpoint')
    .from(table)
    .set((eb) => ({ failingSince: eb.case().when(columns.ok).then(null).else(columns.at).end() }))
    .where('WebhookEndpoint.merchant', '=', columns.merchant)
    .where('WebhookEndpoint.id', '=', columns.id)
    .where((eb) => sql<boolean>`${columns.ok} = (${eb.ref('WebhookEndpoint.failingSince')} is not null)`);
});

const DISABLE = query('webhook-endpoints-give-up', (db, $: { results: RowList<EndpointResult>; at: number }) => {
  const { table, columns } = rowsIn($.results, 'given', RESULT);
  return disableEndpoints(db, 'failing', $.at)
    .from(table)
    .where('WebhookEndpoint.merchant', '=', columns.merchant)
    .where('WebhookEndpoint.id', '=', columns.id)
    .where((eb) => eb('WebhookEndpoint.failingSince', '<=', eb(columns.at, '-', FAILING_MS)))
    .returning([
      'WebhookEndpoint.merchant',
      'WebhookEndpoint.id',
      'WebhookEndpoint.url',
      'WebhookEndpoint.failingSince',
    ]);
});

/** What is needed to keep the results, and to tell members of an endpoint that is disabled. */
export interface ResultDeps extends ClockAndSettings {
  readonly db: Db;
  readonly log: Logger;
}

/** An attempt at a delivery. */
interface Attempted {
  readonly delivery: { readonly merchant: string; readonly endpointId: string | null };
  /** Whether it was accepted, and when it began, epoch ms. */
  readonly result: { readonly ok: boolean; readonly at: number };
  readonly postponeMs?: number;
  readonly final?: true;
}

/**
 * Keeps since when each endpoint has failed. Disables those that have failed for five days, and logs them. Attempts
 * that were not sent do not count.
 */
export async function recordEndpointResults(deps: ResultDeps, attempts: readonly Attempted[]): Promise<void> {
  const { db, log } = deps;
  const results = resultsOf(attempts);
  if (results.length === 0) return;
  await db.run(RECORD, { results: rowList(results) });
  const failed = results.filter(({ ok }) => !ok);
  if (failed.length === 0) return;
  const at = Math.max(...failed.map((result) => result.at));
  const disabled = await db.transaction(async (uow) => {
    const gone = await uow.run(DISABLE, { results: rowList(failed), at });
    for (const { merchant } of gone) await enqueueNotice(deps, uow, merchant, 'endpoint_disabled');
    return gone;
  });
  for (const { merchant, id, url, failingSince } of disabled) {
    log.error(
      { alert: 'webhook_endpoint_disabled', merchant, endpointId: id, host: URL.parse(url)?.host, failingSince },
      'webhook endpoint disabled: every attempt has failed for five days',
    );
  }
}

/** One result per endpoint: a success if any of its attempts succeeded. */
function resultsOf(attempts: readonly Attempted[]): EndpointResult[] {
  const byEndpoint = new Map<string, EndpointResult>();
  for (const { delivery, result, postponeMs, final } of attempts) {
    const { endpointId: id, merchant } = delivery;
    if (id === null || postponeMs !== undefined || final) continue;
    const known = byEndpoint.get(id);
    const at = Math.min(result.at, known?.at ?? result.at);
    byEndpoint.set(id, { merchant: merchant as Wallet, id, ok: result.ok || known?.ok === true, at });
  }
  return [...byEndpoint.values()];
}
