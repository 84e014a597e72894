import { z } from 'zod';
import { identifier } from '../../../base/core/text.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { PLATFORM } from '../../../base/records/audit/audit-entry.entity.ts';
import { type AuditDeps, recordAudit, type WritingDeps } from '../../../base/records/audit/record.ts';
import { merchantNotFound } from '../../shop/merchants/find.ts';
import { readEndpoint } from '../endpoints/read.ts';
import { kindsOf, REPLAY_PATTERNS } from '../events/kinds.ts';
import { enqueueDeliveries } from './queue.ts';
import { moveDeliveries } from './state.ts';

/** Which deliveries of a merchant to send again. */
export const replayInput = z.object({
  since: z.int({ error: 'must be epoch milliseconds' }).min(0, { error: 'must be epoch milliseconds' }),
  kind: z
    .enum(REPLAY_PATTERNS as [string, ...string[]])
    .nullish()
    .transform((kind) => kind ?? null),
  endpointId: identifier.nullish().transform((id) => id ?? null),
  failedOnly: z
    .boolean()
    .nullish()
    .transform((failedOnly) => failedOnly ?? true),
});

/** Which deliveries to send again. */
export interface ReplaySelection {
  /** Of events since then, epoch ms. */
  readonly since: number;
  /** Only of this kind of event, or of all kinds that a pattern such as `receipt.*` selects. */
  readonly kind: string | null;
  /** Only to this endpoint. */
  readonly endpointId: string | null;
  /** False sends those again that were accepted, too. */
  readonly failedOnly: boolean;
}

/** The result of a replay. */
export interface Replay {
  /** The number of deliveries that are enqueued. */
  readonly queued: number;
  /** The `since` with which to go on; null if there are no more. */
  readonly nextSince: number | null;
}

/** The most deliveries of one replay. */
export const REPLAY_MAX = 1_000;

/**
 * Enqueues up to 1,000 of a merchant's deliveries again, the oldest first, with the same ids and bytes and new attempts
 * each. Refuses an unknown endpoint with `not_found`.
 */
export async function replayDeliveries(
  deps: WritingDeps,
  merchant: Wallet,
  selection: ReplaySelection,
): Promise<Replay> {
  if (selection.endpointId !== null) await readEndpoint(deps.db, merchant, selection.endpointId);
  return deps.db.transaction(async (uow) => {
    const replay = await replayPage(uow, merchant, selection);
    await auditReplay(deps, uow, merchant, { ...selection, queued: replay.queued });
    return replay;
  });
}

/**
 * The same for the operator: of all merchants or of one, without a limit. Works page by page. Returns the number of
 * deliveries.
 */
export async function replayAll(
  deps: WritingDeps,
  selection: Omit<ReplaySelection, 'endpointId'>,
  merchant: Wallet | null,
): Promise<number> {
  const merchants = await deps.db.transaction(async (uow) => {
    await auditReplay(deps, uow, merchant ?? PLATFORM, selection);
    const all = uow.db.selectFrom('Merchant').select('wallet');
    return (merchant === null ? all : all.where('wallet', '=', merchant)).execute();
  });
  if (merchant !== null && merchants.length === 0) throw merchantNotFound();
  let count = 0;
  for (const { wallet } of merchants) {
    for (let since: number | null = selection.since; since !== null; ) {
      const page: ReplaySelection = { ...selection, since, endpointId: null };
      const replay: Replay = await deps.db.transaction((uow) => replayPage(uow, wallet, page));
      count += replay.queued;
      since = replay.nextSince;
    }
  }
  return count;
}

const auditReplay = (deps: AuditDeps, uow: UnitOfWork, merchant: Wallet, selection: object): Promise<void> =>
  recordAudit(deps, uow, merchant, 'webhook.replayed', ['delivery', 'selection'], { after: selection });

async function replayPage(uow: UnitOfWork, merchant: Wallet, selection: ReplaySelection): Promise<Replay> {
  const chosen = await choose(uow, merchant, selection).execute();
  if (chosen.length === 0) return { queued: 0, nextSince: null };
  const ids = chosen.map(({ id }) => id);
  const moved = await moveDeliveries(uow.db, 'pending', null)
    .where('Delivery.id', 'in', ids)
    .returning(['Delivery.id', 'Delivery.url'])
    .execute();
  await enqueueDeliveries(uow, moved);
  if (chosen.length < REPLAY_MAX) return { queued: moved.length, nextSince: null };
  const last = chosen.at(-1)!.createdAt;
  // More deliveries of one millisecond than a page holds are not reached.
  return { queued: moved.length, nextSince: last > selection.since ? last : last + 1 };
}

const choose = ({ db }: UnitOfWork, merchant: Wallet, { since, kind, endpointId, failedOnly }: ReplaySelection) =>
  db
    .selectFrom('Delivery')
    .select(['id', 'createdAt'])
    .where('merchant', '=', merchant)
    .where('createdAt', '>=', since)
    .where('state', 'in', failedOnly ? ['failed'] : ['failed', 'delivered'])
    .$if(endpointId !== null, (select) => select.where('endpointId', '=', endpointId))
    .$if(kind !== null, (select) => select.where('event', 'in', kindsOf(kind as string)))
    .orderBy('createdAt')
    .limit(REPLAY_MAX)
    .forUpdate()
    .skipLocked();
