import { sql } from 'kysely';
import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { ClockAndSettings, Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { lockInTransaction } from '../../../base/platform/transaction-lock.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { HINT_CHANNEL } from '../../../base/platform/wake.ts';
import { recordAudit } from '../../../base/records/audit/record.ts';
import { sharingLimits } from '../../shop/merchants/newcomer.ts';
import { isSuspended } from '../../shop/merchants/suspend.ts';
import { isUncollected } from './collect.ts';
import { announceAfterCommit } from './compute-owed.ts';

const DAY_MS = 86_400_000;

/** Which shares are asked for. Null: all. */
export interface ReleaseSelection {
  readonly merchant: Wallet;
  readonly chainId: number | null;
  readonly split: Wallet | null;
  /** A symbol. */
  readonly token: string | null;
  readonly receiptId?: string | null;
  /** Whether their money is at the split; false: still at the addresses that received it. */
  readonly collected?: boolean | null;
}

/** What a request has asked for. */
export interface ReleaseRequest {
  /** Shares. */
  readonly payouts: number;
  /** One for each recipient of a split in a token, and one for each receipt that is collected before. */
  readonly releases: number;
}

/** Of rows with the columns of shares: what they take of the limit. A collection costs as much as a release. */
const releasesOf = (isCollection: ReturnType<typeof sql>) => sql`
  count(distinct (chain_id, split, token, payee, release_requested_at)) filter (where not ${isCollection})
    + count(distinct (chain_id, split, token, receipt_id, release_requested_at)) filter (where ${isCollection})`;

interface Marked {
  readonly merchant: Wallet;
  /** Empty: every split, token and receipt. */
  readonly split: Wallet;
  readonly token: string;
  readonly receiptId: string;
  readonly collected: boolean;
  readonly uncollected: boolean;
  readonly chainIds: readonly number[];
  readonly now: number;
}

const MARK = query(
  'settlement-request',
  (_db, $: Marked) =>
    sql<ReleaseRequest>`
    with marked as (
      update settlement_shares s set release_requested_at = ${$.now}, txid = pg_current_xact_id()
       where merchant = ${$.merchant} and chain_id = any(${$.chainIds}::int8[]) and settled_at is null
         and ((${$.collected} and owed is not null) or (${$.uncollected} and ${isUncollected('s')}))
         and transaction_hash is null and not self_release and release_requested_at is null
         and (${$.split}::text = '' or split = ${$.split}) and (${$.token}::text = '' or token = ${$.token})
         and (${$.receiptId}::text = '' or receipt_id = ${$.receiptId})
      returning chain_id, split, token, payee, receipt_id, owed, release_requested_at)
    select count(*) as payouts, ${releasesOf(sql`owed is null`)} as releases from marked`,
  { computed: { payouts: 'int8', releases: 'int8' } },
);

/** A share that was computed after the request had to be collected first. */
const WAS_COLLECTION = sql`(owed is null or coalesce(release_requested_at < due_since, false))`;

/** What was asked for since a time: by a merchant, or by all newcomers if it is one; and by all. */
const USED = query(
  'settlement-requested',
  (_db, $: { merchant: Wallet; since: number }) =>
    sql<{ releases: number; oldest: number | null }>`
    select ${releasesOf(WAS_COLLECTION)} as releases, min(release_requested_at) as oldest
      from settlement_shares where merchant in ${sharingLimits($.merchant)} and release_requested_at > ${$.since}`,
  { computed: { releases: 'int8', oldest: 'int8' } },
);
const USED_BY_ALL = query(
  'settlement-requested-by-all',
  (_db, $: { since: number }) =>
    sql<{ releases: number; oldest: number | null }>`
    select ${releasesOf(WAS_COLLECTION)} as releases, min(release_requested_at) as oldest
      from settlement_shares where release_requested_at > ${$.since}`,
  { computed: { releases: 'int8', oldest: 'int8' } },
);

/** The releases that a merchant may ask for. */
export interface ReleaseAllowance {
  /** In 24 hours; 0 if the server releases nothing; null without a limit. */
  readonly perDay: number | null;
  /** Now; null without a limit. */
  readonly left: number | null;
  /** When more are left again, epoch ms; null if none was asked for. */
  readonly resetAt: number | null;
}

type AllowanceDeps = ClockAndSettings & { readonly db: Pick<UnitOfWork, 'run'> };

/** How many releases a merchant may still ask for: of its own (newcomers share them), and of those of all merchants. */
export async function readAllowance(deps: AllowanceDeps, merchant: Wallet): Promise<ReleaseAllowance> {
  const { settlement, settlementPrivateKey } = deps.settings;
  const since = deps.clock() - DAY_MS;
  const leftOf = (perDay: number | null, used?: { releases: number; oldest: number | null }): ReleaseAllowance => {
    if (perDay === null || !used) return { perDay, left: null, resetAt: null };
    const { releases, oldest } = used;
    return { perDay, left: Math.max(0, perDay - releases), resetAt: oldest === null ? null : oldest + DAY_MS };
  };
  if (settlementPrivateKey === null) return { perDay: 0, left: 0, resetAt: null };
  const { requestsPerDay: perDay, requestsPerDayTotal: total } = settlement;
  const own = leftOf(perDay, perDay === null ? undefined : (await deps.db.run(USED, { merchant, since }))[0]);
  const all = leftOf(total, total === null ? undefined : (await deps.db.run(USED_BY_ALL, { since }))[0]);
  return all.left !== null && (own.left === null || all.left < own.left) ? all : own;
}

type RequestDeps = Pick<Deps, 'db' | 'settings' | 'bus' | 'chains' | 'clock' | 'origin'>;

/**
 * Asks settlement to release the merchant's waiting shares now, whatever they are worth and however long they wait, and
 * to collect their money before, whatever that costs. Shares whose payment is not final, whose release is on its way,
 * or which the recipient must release itself are left out. Nothing to release is no error. The server pays the gas, so
 * the releases and collections of 24 hours are limited together. Refuses with `settlement_not_configured`,
 * `merchant_suspended` and `release_limit_reached`, all or nothing.
 */
export async function requestRelease(deps: RequestDeps, selection: ReleaseSelection): Promise<ReleaseRequest> {
  const { merchant, chainId, split, token, receiptId = null, collected = null } = selection;
  if (deps.settings.settlementPrivateKey === null) throw refuse('settlement_not_configured');
  if (await isSuspended(deps.db, merchant)) throw refuse('merchant_suspended');
  return deps.db.transaction(async (uow) => {
    // Requests follow each other, so that two at once do not exceed a limit.
    await lockInTransaction(uow, 'release');
    const allowance = await readAllowance({ ...deps, db: uow }, merchant);
    const chainIds = deps.chains.map((chain) => chain.chainId).filter((id) => chainId === null || id === chainId);
    const [marked] = await uow.run(MARK, {
      ...{ merchant, chainIds, split: split ?? ('' as Wallet), token: token ?? '', receiptId: receiptId ?? '' },
      ...{ collected: collected !== false, uncollected: collected !== true, now: deps.clock() },
    });
    const { payouts, releases } = marked!;
    if (payouts === 0) return { payouts, releases };
    requireWithin(allowance, releases);
    await recordAudit(
      deps,
      uow,
      merchant,
      'payout.requested',
      ['payout', `${chainId ?? 'all'}/${split ?? 'all'}/${token ?? 'all'}`],
      { after: { payouts, releases } },
    );
    announceAfterCommit(deps.bus, uow, [{ merchant }]);
    uow.afterCommit(() => deps.bus.publish(HINT_CHANNEL, 'release'));
    return { payouts, releases };
  });
}

function requireWithin({ perDay, left, resetAt }: ReleaseAllowance, releases: number): void {
  if (left === null || releases <= left) return;
  const wanted = releases === 1 ? '1 release is needed' : `${releases} releases are needed`;
  throw refuse('release_limit_reached', `${wanted}, and ${left} of ${perDay} in 24 hours are left`, {
    releases,
    releasesLeft: left,
    ...(resetAt === null ? {} : { resetAt }),
  });
}
