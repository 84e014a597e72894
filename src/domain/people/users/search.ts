import { type Expression, type ExpressionBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { boundedCache } from '../../../base/core/caches.ts';
import { keptBy } from '../../../base/core/kept.ts';
import { fold } from '../../../base/core/text.ts';
import { type Context, readOnce } from '../../../base/graphql/context.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';
import { queryVariant } from '../../../base/platform/postgres/query.ts';
import { SILENCE_MS, type UserRecord } from './record.ts';
import type { SearchQuery } from './search.input.ts';
import { USER_COLUMNS } from './user.entity.ts';

/** The result of a search. */
export interface UserSearch {
  readonly users: readonly UserRecord[];
  /** Number of scanned users that match, before `limit` applies; null if the database is unavailable. */
  readonly total: number | null;
}

/** The parameters of a search. A condition without a value is absent. */
interface SearchParameters {
  readonly scan: number;
  readonly limit: number;
  /** The earliest heartbeat of a live user, epoch ms. */
  readonly since: number;
  /** The version that the caller has; empty if it has none. */
  readonly known: string;
  readonly q: string;
  readonly domains: readonly string[];
  readonly platforms: readonly string[];
  readonly languages: readonly string[];
  readonly minXp: number;
  readonly maxXp: number;
}

type Scanned = ExpressionBuilder<{ scanned: Selectable<Database['User']> }, 'scanned'>;
type Condition = (eb: Scanned, $: SearchParameters) => Expression<SqlBool>;

/** Uses `strpos` instead of `like`, so that `%` and `_` are literal. */
const CONDITIONS = {
  q: ({ ref }, $) => sql`(strpos(${ref('searchName')}, ${$.q}) > 0 or strpos(${ref('wallet')}, ${$.q}) > 0)`,
  domains: ({ ref }, $) => sql`${ref('domains')} @> ${$.domains}::text[]`,
  platforms: ({ ref }, $) => sql`${ref('platforms')} @> ${$.platforms}::text[]`,
  languages: ({ ref }, $) => sql`${ref('languages')} @> ${$.languages}::text[]`,
  minXp: (eb, $) => eb('xp', '>=', $.minXp),
  maxXp: (eb, $) => eb('xp', '<=', $.maxXp),
  live: (eb, $) => eb.and([eb.ref('live'), eb.ref('spacePublic'), eb('lastHeartbeat', '>', $.since)]),
} satisfies Record<string, Condition>;

type ConditionName = keyof typeof CONDITIONS;

/** The conditions of a query, in a fixed order. */
const conditionsOf = (query: SearchQuery): ConditionName[] =>
  (Object.keys(CONDITIONS) as ConditionName[]).filter((name) => {
    const value = query[name];
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
  });

/**
 * Reads the first `scan` users by XP (ties by wallet) and filters them. Returns a fingerprint of the found rows: their
 * `ctid` and `xmin`, and which of them are live now. Returns the rows themselves only if the fingerprint differs from
 * the caller's. Each combination of conditions has its own prepared statement.
 */
const searchBy = (conditions: readonly ConditionName[]) =>
  queryVariant(
    ['users-search', ...conditions].join('-'),
    (db, $: SearchParameters) =>
      db
        .with(
          (cte) => cte('found').materialized(),
          (cte) =>
            cte
              .selectFrom((eb) =>
                eb
                  .selectFrom('User')
                  .selectAll()
                  .select([sql<string>`ctid`.as('place'), sql<string>`xmin`.as('writer')])
                  .orderBy('xp', 'desc')
                  .orderBy('wallet')
                  .limit($.scan)
                  .as('scanned'),
              )
              .select(USER_COLUMNS)
              .select([sql<number>`count(*) over ()`.as('total'), 'place', 'writer'])
              .where((eb) => eb.and(conditions.map((name) => CONDITIONS[name](eb as unknown as Scanned, $))))
              .orderBy('xp', 'desc')
              .orderBy('wallet')
              .limit($.limit),
        )
        .with('prints', (cte) =>
          cte.selectFrom('found').select(({ ref, fn }) => {
            const isLive = sql`(${ref('live')} and ${ref('spacePublic')} and ${ref('lastHeartbeat')} > ${$.since}::int8)`;
            const print = sql`${ref('place')}::text || ${ref('writer')} || ${isLive}`;
            return [
              fn.coalesce(fn.max('total'), sql<number>`0`).as('total'),
              sql<string>`md5(coalesce(string_agg(${print}, ' '), ''))`.as('print'),
            ];
          }),
        )
        .selectFrom((eb) =>
          eb
            .selectFrom('prints')
            .select(({ ref }) => ['total', sql<string>`${ref('total')} || ${ref('print')}`.as('version')])
            .as('answer'),
        )
        .select(({ ref }) => [
          'total',
          'version',
          sql<string | null>`case when ${ref('version')} <> ${$.known}
          then (select coalesce(json_agg(found), '[]') from found)::text end`.as('users'),
        ]),
    { computed: { total: 'int8', version: 'text', users: 'text' } },
  );

interface CachedSearch {
  readonly version: string;
  readonly found: UserSearch;
  readonly size: number;
}

/** Cache limits: number of searches, and total characters of their users as JSON. */
const MAX_SEARCHES = 2_000;
const MAX_SIZE = 16 * 1024 * 1024;

/** One cache per database connection pool. */
const cacheOf = keptBy('searches of users', (_db: Db) =>
  boundedCache<string, CachedSearch>({ max: MAX_SEARCHES, maxSize: MAX_SIZE, sizeOf: ({ size }) => size }),
);

/**
 * The matching users among the first `scan` by XP, highest first, at most `limit`. While no row changes, calls return
 * the identical object: each call queries the database, which then returns only the fingerprint.
 */
export async function searchUsers(deps: Pick<Deps, 'db' | 'clock'>, query: SearchQuery): Promise<UserSearch> {
  const key = JSON.stringify(query);
  const cache = cacheOf(deps.db);
  const cached = cache.get(key);
  const [row] = await deps.db.run(searchBy(conditionsOf(query)), {
    ...query,
    q: query.q && fold(query.q),
    since: deps.clock() - SILENCE_MS,
    known: cached?.version ?? '',
  } as SearchParameters);
  const { total, version, users } = row!;
  if (users === null) return cached!.found;
  // Concurrent calls may read the same change: all return the object that was cached first.
  const now = cache.get(key);
  if (now?.version === version) return now.found;
  const found = { users: JSON.parse(users) as UserRecord[], total };
  cache.set(key, { version, found, size: users.length + 1 });
  return found;
}

/** Like `searchUsers`, but repeated searches within one request return the same result. */
export function searchUsersOnce(context: Context, query: SearchQuery): Promise<UserSearch> {
  return readOnce(context, `users ${JSON.stringify(query)}`, () => searchUsers(context, query));
}
