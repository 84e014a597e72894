import type { Chain } from '../../../base/chain/client.ts';
import type { Db } from '../../../base/platform/db.ts';
import { query } from '../../../base/platform/postgres/query.ts';

const OLDEST = query(
  'splits-oldest-block',
  (db, $: { chainId: number }) =>
    db
      .selectFrom('Split')
      .select((eb) => eb.fn.min('createdBlock').as('block'))
      .where('chainId', '=', $.chainId),
  { computed: { block: 'int8' } },
);

/** The lowest block at which a split of this chain was configured; null if there is no split. */
export async function oldestSplitBlock(db: Db, chain: Chain): Promise<number | null> {
  const [oldest] = await db.run(OLDEST, { chainId: chain.chainId });
  return oldest?.block ?? null;
}
