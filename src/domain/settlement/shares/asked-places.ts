import { sql } from 'kysely';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { Place } from './place-walk.ts';

const AT_ONCE = 50;

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
export function createAskedPlaces({ sql: db, chain }: Pick<Deps, 'sql' | 'chain'>): () => Promise<Place[]> {
  let seen = new Map<string, number>();
  return async () => {
    const rows = await db.run(ASKED, { chainId: chain.chainId });
    const keyOf = ({ split, token }: Place) => `${split}/${token}`;
    const fresh = rows.filter((row) => seen.get(keyOf(row)) !== row.at).slice(0, AT_ONCE);
    const known = rows.filter((row) => fresh.includes(row) || seen.get(keyOf(row)) === row.at);
    seen = new Map(known.map((row) => [keyOf(row), row.at]));
    return fresh;
  };
}
