import { readBlock } from '../../../base/chain/blocks.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { readCursor } from '../../../base/onchain/blocks/cursor.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import type { MatchDeps } from '../matching/match.ts';
import { readCoins } from './coins.ts';

/*
 * Which addresses are asked for their coins. Those whose buyer was quoted coins are read with the blocks, all others
 * once a day: a buyer may send coins without having been asked for them.
 */

/** Reads an address with the blocks until a time, epoch ms. */
export async function watchCoins(
  { db }: UnitOfWork,
  watch: { readonly chainId: number; readonly address: Wallet; readonly until: number },
): Promise<void> {
  await db
    .insertInto('CoinWatch')
    .values(watch)
    .onConflict((known) =>
      known.columns(['chainId', 'address']).doUpdateSet(({ fn, ref }) => ({
        until: fn<number>('greatest', [ref('CoinWatch.until'), ref('excluded.until')]),
      })),
    )
    .execute();
}

const WATCHED = query('payments-watched-coins', (db, $: { chainId: number; now: number }) =>
  db.selectFrom('CoinWatch').select('address').where('chainId', '=', $.chainId).where('until', '>', $.now),
);

/** The addresses to read with the blocks. */
export async function watchedForCoins({ db, chain, clock }: MatchDeps): Promise<Wallet[]> {
  const rows = await db.run(WATCHED, { chainId: chain.chainId, now: clock() });
  return rows.map(({ address }) => address);
}

/** The addresses of one step of the daily reading, and the steps of one round. */
const PAGE = 2_400;
const PAGES = 10;
const DAY_MS = 86_400_000;

const OLD = query('payments-old-addresses', (db, $: { chainId: number; after: Wallet; since: number }) =>
  db
    .selectFrom('ReceiptAddress')
    .select('address')
    .where('address', '>', $.after)
    .where('createdAt', '>', $.since)
    .where(({ eb, or }) => or([eb('onlyChainId', 'is', null), eb('onlyChainId', '=', $.chainId)]))
    .orderBy('address')
    .limit(PAGE),
);

/**
 * Creates the reading of all addresses of the last `RECEIPT_WATCH_DAYS`, at the start and then once a day, a part with
 * each call.
 */
export function createDailyReading(): (deps: MatchDeps & Pick<Deps, 'settings'>) => Promise<void> {
  let after = '' as Wallet;
  let notBefore = Number.NEGATIVE_INFINITY;
  return async (deps) => {
    const { chain, settings } = deps;
    if (performance.now() < notBefore || !chain.tokens.some(({ address }) => address === null)) return;
    const cursor = await readCursor(deps);
    const block = cursor && (await readBlock(chain, BigInt(cursor.scanned)));
    if (!block) return;
    const since = deps.clock() - settings.receiptWatchDays * DAY_MS;
    for (let page = 0; page < PAGES; page++) {
      const rows = await deps.db.run(OLD, { chainId: chain.chainId, after, since });
      const addresses = rows.map(({ address }) => address);
      if ((await readCoins(deps, addresses, block)) === 'moved') return;
      after = addresses.at(-1) ?? ('' as Wallet);
      if (rows.length === PAGE) continue;
      after = '' as Wallet;
      notBefore = performance.now() + DAY_MS;
      return;
    }
  };
}
