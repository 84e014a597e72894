import { LRUCache } from 'lru-cache';
import { parseInput } from '../core/input.ts';
import { weakMemo } from '../core/weak-memo.ts';
import type { Context } from '../graphql/context.ts';
import type { Deps } from '../platform/deps.ts';
import { type Sql, type Statement, statement } from '../platform/sql.ts';
import { COLUMNS, SILENCE_MS, type UserRecord } from './record.ts';
import { type SearchQuery, searchQuery } from './search.input.ts';

/** What a search finds. */
export interface UserSearch {
  readonly users: readonly UserRecord[];
  /** How many of those that were looked at match, before the list is cut to its limit; null where the database is away. */
  readonly total: number | null;
}

/** A condition of a search that is asked for: by the name its statement is prepared under, with `$` for its parameter where it has one. */
type Condition = readonly [name: string, sql: string, value?: unknown];

/** Texts are compared position by position, so that `%` and `_` mean themselves. `$3` is when the silence of who is not live began. */
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
  // The only one without a parameter of its own, so it stands last.
  const live: Condition[] = query.live ? [['live', 'live and space_public and last_heartbeat > $3']] : [];
  return [...conditions.filter(([, , value]) => value !== undefined), ...live];
}

/**
 * The first `scan` users by XP are read; among equals the wallet decides. Only they are filtered. Answers which versions of which rows were found (their
 * places and writing transactions, and who of them is live at this moment), and the rows themselves only where that is not what the caller already has.
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

/** Each combination of conditions is a statement of its own, without those that nobody asked for. */
function statementFor(conditions: readonly Condition[]): Statement {
  const name = ['users-search', ...conditions.map(([condition]) => condition)].join('-');
  const known = statements.get(name);
  if (known) return known;
  const where = conditions.map(([, sql], i) => sql.replaceAll(/\$(?!\d)/g, `$${i + FIRST_CONDITION}`)).join(' and ');
  const made = statement(name, textOf(where || 'true'));
  statements.set(name, made);
  return made;
}

interface Kept {
  readonly version: string;
  readonly found: UserSearch;
  readonly size: number;
}

/** Searches kept, and how many characters their users may have together as JSON. */
const MAX_SEARCHES = 2_000;
const MAX_SIZE = 16 * 1024 * 1024;

/** One memory for all who share a database connection. */
const memoryOf = weakMemo(
  (_sql: Sql) =>
    new LRUCache<string, Kept>({ max: MAX_SEARCHES, maxSize: MAX_SIZE, sizeCalculation: ({ size }) => size }),
);

/**
 * Users by XP, the most first: of the `scan` first those that match, at most `limit` of them. As long as none of them changes it is the same object, by
 * identity: the database is asked each time, but answers with one line. Refuses with `invalid_input`.
 */
export async function searchUsers(deps: Pick<Deps, 'sql' | 'clock'>, input: unknown): Promise<UserSearch> {
  const query = parseInput(searchQuery, input);
  const since = deps.clock() - SILENCE_MS;
  const conditions = conditionsOf(query);
  const key = JSON.stringify(query);
  const memory = memoryOf(deps.sql);
  const kept = memory.get(key);
  interface Row {
    readonly total: number;
    readonly version: string;
    readonly users: string | null;
  }
  const [row] = await deps.sql.rows<Row>(statementFor(conditions), [
    query.scan,
    query.limit,
    since,
    kept?.version ?? '',
    ...conditions.flatMap(([, , value]) => (value === undefined ? [] : [value])),
  ]);
  const { total, version, users } = row as Row;
  if (users === null) return (kept as Kept).found;
  // Several may learn of the same change at once: the first one's answer is everybody's.
  const now = memory.get(key);
  if (now?.version === version) return now.found;
  const found = { users: JSON.parse(users) as UserRecord[], total };
  memory.set(key, { version, found, size: users.length + 1 });
  return found;
}

const searchesOf = weakMemo((_context: Context) => new Map<string, Promise<UserSearch>>());

/** The same for one request: what it asks for again is what it was given before. */
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
