import { sql } from 'kysely';
import type { Chain } from '../../../base/chain/client.ts';
import { Refusal } from '../../../base/core/errors.ts';
import { reasonOf } from '../../../base/core/reason.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { type Query, query } from '../../../base/platform/postgres/query.ts';

/** A split and a token with open shares. */
export interface Place {
  readonly split: Wallet;
  readonly token: string;
}

/** A step of settlement at a place; each has its own pause. */
export type Concern = 'reckon' | 'release' | 'complete';

/** Tracks places without recent changes, to avoid querying the chain for all of them in every block. */
export interface Rests {
  isResting(concern: Concern, place: Place): boolean;
  /** Records that nothing has changed: the pause grows with the time since the last change. */
  unchanged(concern: Concern, place: Place): void;
  /** Records a change: all concerns visit the place again at once. */
  changed(place: Place): void;
}

/** How long after a change a place is visited in every round; its own releases reach full depth in that time. */
const LIVELY_MS = 30_000;
/** After that, the pause as a part of the time since the last change, up to the maximum. */
const PAUSE_PART = 1 / 4;
const PAUSE_MAX_MS = 5 * 60_000;

/** @param clock in milliseconds, monotonic */
export function createRests(clock: () => number): Rests {
  const rests = new Map<string, { readonly since: number; readonly notBefore: number }>();
  const keyOf = (concern: Concern, { split, token }: Place) => `${concern}:${split}/${token}`;
  return {
    isResting: (concern, place) => (rests.get(keyOf(concern, place))?.notBefore ?? 0) > clock(),
    unchanged(concern, place) {
      const now = clock();
      const key = keyOf(concern, place);
      const since = rests.get(key)?.since ?? now;
      const age = now - since;
      const pause = age < LIVELY_MS ? 0 : Math.min(PAUSE_MAX_MS, age * PAUSE_PART);
      rests.set(key, { since, notBefore: now + pause });
    },
    changed(place) {
      for (const concern of ['reckon', 'release', 'complete'] as const) rests.delete(keyOf(concern, place));
    },
  };
}

/** The number of places visited per round, and of pages read to find them. */
const VISITED = 50;
const PAGE = 500;
const PAGES = 10;

type PageKey = Place & { chainId: number };

/** A skip scan over the index of open shares: it reads one row per place, regardless of the number of shares. */
const OPEN = query(
  'settlement-open-places',
  (_db, $: PageKey) => sql<Place>`
    with recursive place as (
      (select split, token from settlement_shares
        where chain_id = ${$.chainId} and settled_at is null and (split, token) > (${$.split}, ${$.token})
        order by split, token limit 1)
      union all
      select next.split, next.token from place cross join lateral
        (select split, token from settlement_shares
          where chain_id = ${$.chainId} and settled_at is null and (split, token) > (place.split, place.token)
          order by split, token limit 1) next
    ) select split, token from place limit ${sql.lit(PAGE)}`,
  { computed: { split: 'text', token: 'text' } },
);

const UNRECKONED = query('settlement-unreckoned-places', (db, $: PageKey) =>
  db
    .selectFrom('SettlementShare')
    .select(['split', 'token'])
    .distinct()
    .where('chainId', '=', $.chainId)
    .where('settledAt', 'is', null)
    .where('owed', 'is', null)
    .where((eb) => sql<boolean>`(${eb.ref('split')}, ${eb.ref('token')}) > (${$.split}, ${$.token})`)
    .orderBy('split')
    .orderBy('token')
    .limit(PAGE),
);

const PLACES: Record<Concern, Query<PageKey, Place>> = { reckon: UNRECKONED, release: OPEN, complete: OPEN };

const START: Place = { split: '' as Wallet, token: '' };

/**
 * Returns the next places to visit. Each call continues where the last one ended and wraps around after the last place.
 */
export type PlaceWalk = () => Promise<Place[]>;

/**
 * Starts a walk over the places of the chain that need work of one kind, from the first place. Places that rest are
 * left out. One call reads a few pages at most.
 */
export function walkPlaces(db: Db, chain: Chain, concern: Concern, rests: Rests): PlaceWalk {
  let after = START;
  return async () => {
    const found: Place[] = [];
    const seen = new Set<string>();
    for (let page = 0; page < PAGES; page++) {
      const fromStart = after === START;
      const places = await db.run(PLACES[concern], { chainId: chain.chainId, ...after });
      for (const place of places) {
        const key = `${place.split}/${place.token}`;
        if (seen.has(key)) return found;
        seen.add(key);
        after = place;
        if (!rests.isResting(concern, place)) found.push(place);
        if (found.length === VISITED) return found;
      }
      if (places.length === PAGE) continue;
      after = START;
      if (fromStart) return found;
    }
    return found;
  };
}

/**
 * The number of consecutive places without a response from the chain that ends a round, to avoid one timeout per place.
 */
const UNANSWERED_MAX = 3;

/**
 * Visits the places in turn. `visit` returns whether it changed anything. A place whose visit fails is paused and does
 * not stop the others. The round ends with the refusal if the database is unreachable or the chain does not respond for
 * several places in a row.
 */
export async function visitPlaces<P extends Place>(
  { log, rests }: Pick<Deps, 'log'> & { readonly rests: Rests },
  concern: Concern,
  places: readonly P[],
  visit: (place: P) => Promise<boolean>,
): Promise<void> {
  let unanswered = 0;
  for (const place of places) {
    try {
      if (await visit(place)) rests.changed(place);
      else rests.unchanged(concern, place);
      unanswered = 0;
    } catch (error) {
      if (error instanceof Refusal && error.code === 'datastore_unavailable') throw error;
      rests.unchanged(concern, place);
      if (error instanceof Refusal && ++unanswered === UNANSWERED_MAX) throw error;
      log.warn(
        { split: place.split, symbol: place.token, concern, reason: reasonOf(error) },
        'settlement of a split failed',
      );
    }
  }
}

const ASKED_AT_ONCE = 50;

const ASKED = query(
  'settlement-asked-places',
  (db, $: { chainId: number }) =>
    db
      .selectFrom('SettlementShare')
      .select(['split', 'token'])
      .select((eb) => sql<number>`max(${eb.ref('releaseRequestedAt')})`.as('at'))
      .where('chainId', '=', $.chainId)
      .where('releaseRequestedAt', 'is not', null)
      .where('settledAt', 'is', null)
      .groupBy(['split', 'token']),
  { computed: { at: 'int8' } },
);

/**
 * Returns the places whose release was asked for since the last call, at most 50. A place whose release fails is not
 * returned again: it is retried like any other.
 */
export function createAskedPlaces(db: Db, chain: Chain): () => Promise<Place[]> {
  let seen = new Map<string, number>();
  return async () => {
    const rows = await db.run(ASKED, { chainId: chain.chainId });
    const keyOf = ({ split, token }: Place) => `${split}/${token}`;
    const fresh = rows.filter((row) => seen.get(keyOf(row)) !== row.at).slice(0, ASKED_AT_ONCE);
    const known = rows.filter((row) => fresh.includes(row) || seen.get(keyOf(row)) === row.at);
    seen = new Map(known.map((row) => [keyOf(row), row.at]));
    return fresh;
  };
}
