import { parseInput } from '../core/input.ts';
import type { Deps } from '../platform/deps.ts';
import { type Statement, statement } from '../platform/sql.ts';
import { COLUMNS, SILENCE_MS, type UserRecord } from './record.ts';
import { type SearchQuery, searchQuery } from './search.input.ts';

/** What a search finds. */
export interface UserSearch {
  readonly users: readonly UserRecord[];
  /** How many of those that were looked at match, before the list is cut to its limit; null where the database is away. */
  readonly total: number | null;
}

/** A condition of a search, where it is asked for: by the name its statement is prepared under, with `$` for its parameter. */
type Condition = readonly [name: string, sql: string, value: unknown];

/** Texts are compared position by position, so that `%` and `_` mean themselves. */
function conditionsOf(query: SearchQuery, now: number): Condition[] {
  const list = (words: readonly string[]) => (words.length > 0 ? words : undefined);
  const conditions: Condition[] = [
    ['q', '(strpos(search_name, $) > 0 or strpos(wallet, $) > 0)', query.q?.toLowerCase()],
    ['domains', 'domains @> $::text[]', list(query.domains)],
    ['platforms', 'platforms @> $::text[]', list(query.platforms)],
    ['languages', 'languages @> $::text[]', list(query.languages)],
    ['min', 'xp >= $', query.minXp],
    ['max', 'xp <= $', query.maxXp],
    ['live', 'live and space_public and last_heartbeat > $', query.live ? now - SILENCE_MS : undefined],
  ];
  return conditions.filter(([, , value]) => value !== undefined);
}

/** The first `scan` users by XP are read; among equals the wallet decides. Only they are filtered. */
const textOf = (where: string) => `
  select ${COLUMNS}, count(*) over () as total
    from (select * from users order by xp desc, wallet limit $1) scanned
   where ${where}
   order by xp desc, wallet limit $2`;

const statements = new Map<string, Statement>();

/** Each combination of conditions is a statement of its own, without those that nobody asked for. */
function statementFor(conditions: readonly Condition[]): Statement {
  const name = ['users-search', ...conditions.map(([condition]) => condition)].join('-');
  const known = statements.get(name);
  if (known) return known;
  const where = conditions.map(([, sql], i) => sql.replaceAll(/\$(?!\d)/g, `$${i + 3}`)).join(' and ');
  const made = statement(name, textOf(where || 'true'));
  statements.set(name, made);
  return made;
}

/** Users by XP, the most first: of the `scan` first those that match, at most `limit` of them. Refuses with `invalid_input`. */
export async function searchUsers(deps: Pick<Deps, 'sql' | 'clock'>, input: unknown): Promise<UserSearch> {
  const query = parseInput(searchQuery, input);
  const conditions = conditionsOf(query, deps.clock());
  const rows = await deps.sql.rows<UserRecord & { readonly total: number }>(statementFor(conditions), [
    query.scan,
    query.limit,
    ...conditions.map(([, , value]) => value),
  ]);
  return { users: rows, total: rows[0]?.total ?? 0 };
}
