import { LRUCache } from 'lru-cache';
import { parseInput } from '../core/input.ts';
import { weakMemo } from '../core/weak-memo.ts';
import type { Context } from '../graphql/context.ts';
import type { Deps } from '../platform/deps.ts';
import { type Sql, type Statement, statement } from '../platform/sql.ts';
import { COLUMNS, SILENCE_MS, type UserRecord } from './record.ts';
import { type SearchQuery, searchQuery } from './search.input.ts';

/** The result of a search. */
export interface UserSearch {
  readonly users: readonly UserRecord[];
  /** Number of scanned users that match, before `limit` applies; null if the database is unavailable. */
  readonly total: number | null;
}

/**
 * A search condition: its part of the prepared statement's name, its SQL with `$` for the parameter, and the parameter
 * if it has one.
 */
type Condition = readonly [name: string, sql: string, value?: unknown];

/**
 * Uses `strpos` instead of `like`, so that `%` and `_` are literal. `$3` is the earliest heartbeat of a live user,
 * epoch ms.
 */
function conditionsOf(query: SearchQuery): Condition[] {
  const list = (words: readonly string[]) => (words.length > 0 ? words : undefined);
  const conditions: Condition[] = [
    ['q', '(strpos(search_name, $) > 0 or strpos(wallet, $) > 0)', query.q?.toLowerCase()],
    ['domains', 'domains @> $::text[]', list(query.domains)],
    ['platforms', 'platforms @> $::text[]', list(query.platforms)],
    ['languages', 'languages @> $::text[]', list(query.languages)],
    ['min', 'xp >= $', query.minXp],
    ['max', 'xp <= $', query.maxXp],
  ];
  // Last, because it is the only condition without its own parameter.
  const live: Condition[] = query.live ? [['live', 'live and space_public and last_heartbeat > $3']] : [];
  return [...conditions.filter(([, , value]) => value !== undefined), ...live];
}

/**
 * Reads the first `scan` users by XP (ties by wallet) and filters them. Returns a fingerprint of the found rows: their
 * `ctid` and `xmin`, and which of them are live now. Returns the rows themselves only if the fingerprint differs from
 * the caller's.
 */
const textOf = (where: string) => `
  with found as materialized (
    select ${COLUMNS}, count(*) over () as total, place, writer
      from (select *, ctid as place, xmin as writer from users order by xp desc, wallet limit $1) scanned
     where ${where}
     order by xp desc, wallet limit $2),
  prints as (
    select coalesce(max(total), 0) as total,
           md5(coalesce(string_agg(place::text || writer || (live and "spacePublic" and "lastHeartbeat" > $3::bigint), ' '), '')) as print
      from found)
  select total, version, case when version <> $4 then (select coalesce(json_agg(found), '[]') from found)::text end as users
    from (select total, total || print as version from prints) answer`;

const statements = new Map<string, Statement>();
const FIRST_CONDITION = 5;

/** Each combination of conditions has its own prepared statement. */
function statementFor(conditions: readonly Condition[]): Statement {
  const name = ['users-search', ...conditions.map(([condition]) => condition)].join('-');
  const known = statements.get(name);
  if (known) return known;
  const where = conditions.map(([, sql], i) => sql.replaceAll(/\$(?!\d)/g, `$${i + FIRST_CONDITION}`)).join(' and ');
  const made = statement(name, textOf(where || 'true'));
  statements.set(name, made);
  return made;
}

interface CachedSearch {
  readonly version: string;
  readonly found: UserSearch;
  readonly size: number;
}

/** Cache limits: number of searches, and total characters of their users as JSON. */
const MAX_SEARCHES = 2_000;
const MAX_SIZE = 16 * 1024 * 1024;

/** One cache per database connection pool. */
const cacheOf = weakMemo(
  (_sql: Sql) =>
    new LRUCache<string, CachedSearch>({ max: MAX_SEARCHES, maxSize: MAX_SIZE, sizeCalculation: ({ size }) => size }),
);

/**
 * The matching users among the first `scan` by XP, highest first, at most `limit`. While no row changes, calls return
 * the identical object: each call queries the database, which then returns only the fingerprint. Refuses with
 * `invalid_input`.
 */
export async function searchUsers(deps: Pick<Deps, 'sql' | 'clock'>, input: unknown): Promise<UserSearch> {
  const query = parseInput(searchQuery, input);
  const since = deps.clock() - SILENCE_MS;
  const conditions = conditionsOf(query);
  const key = JSON.stringify(query);
  const cache = cacheOf(deps.sql);
  const cached = cache.get(key);
  interface Row {
    readonly total: number;
    readonly version: string;
    readonly users: string | null;
  }
  const [row] = await deps.sql.rows<Row>(statementFor(conditions), [
    query.scan,
    query.limit,
    since,
    cached?.version ?? '',
    ...conditions.flatMap(([, , value]) => (value === undefined ? [] : [value])),
  ]);
  const { total, version, users } = row as Row;
  if (users === null) return (cached as CachedSearch).found;
  // Concurrent calls may read the same change: all return the object that was cached first.
  const now = cache.get(key);
  if (now?.version === version) return now.found;
  const found = { users: JSON.parse(users) as UserRecord[], total };
  cache.set(key, { version, found, size: users.length + 1 });
  return found;
}

const searchesOf = weakMemo((_context: Context) => new Map<string, Promise<UserSearch>>());

/** Like `searchUsers`, but repeated searches within one request return the same result. */
export function searchUsersOnce(context: Context, input: object): Promise<UserSearch> {
  const own = searchesOf(context);
  const key = JSON.stringify(
    Object.entries(input)
      .filter(([, value]) => value != null)
      .sort(),
  );
  const search = own.get(key) ?? searchUsers(context, input);
  own.set(key, search);
  return search;
}
