import { setTimeout } from 'node:timers/promises';
import { reach } from '../../chain/client.ts';
import { Refusal } from '../../core/errors.ts';
import type { Deps } from '../../platform/deps.ts';
import { query } from '../../platform/postgres/query.ts';

const HEAD = query('chain-head', (db, $: { chainId: number }) =>
  db.selectFrom('ChainCursor').select(['head', 'updatedAt']).where('chainId', '=', $.chainId),
);

/** How recently the watcher must have seen a head for it to be used. */
const FRESH_MS = 60_000;
/** How long to wait for a node. Configuring a split does not depend on it. */
const WAIT_MS = 1_000;

/**
 * The latest known block: the watcher's if it is recent, else the chain's, else the watcher's last, else 0. Never fails
 * because of the chain, so a split can be configured while its node is down. An older block only means that more blocks
 * are scanned.
 */
export async function knownHead({ db, chain, clock }: Pick<Deps, 'db' | 'chain' | 'clock'>): Promise<number> {
  const [cursor] = await db.run(HEAD, { chainId: chain.chainId });
  if (cursor && clock() - cursor.updatedAt < FRESH_MS) return cursor.head;
  return (await fetchHead(chain)) ?? cursor?.head ?? 0;
}

/** The chain's own head; null if it does not respond in time. */
async function fetchHead({ client }: Deps['chain']): Promise<number | null> {
  const waited = new AbortController();
  const asked = reach(client.getBlockNumber()).then(Number, (error) => {
    if (error instanceof Refusal) return null;
    throw error;
  });
  try {
    return await Promise.race([asked, setTimeout(WAIT_MS, null, { signal: waited.signal })]);
  } finally {
    waited.abort();
  }
}
