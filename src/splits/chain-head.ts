import { setTimeout } from 'node:timers/promises';
import { reach } from '../chain/client.ts';
import { Refusal } from '../core/errors.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';

const CURSOR = statement('chain-head', 'select head, updated_at as "updatedAt" from chain_cursors where chain_id = $1');

/** A head that the watcher saw this lately is as good as the node's own. */
const FRESH_MS = 60_000;
/** How long a node may take; a split need not wait for it. */
const WAIT_MS = 1_000;

/**
 * The newest block known: the watcher's where it is up to date, else the chain's own, else the watcher's last, else 0. Never refuses because of the
 * chain: a split can be set while its node is down, and an older block only means that more is looked at.
 */
export async function knownHead({ sql, chain, clock }: Pick<Deps, 'sql' | 'chain' | 'clock'>): Promise<number> {
  const [cursor] = await sql.rows<{ head: number; updatedAt: number }>(CURSOR, [chain.chainId]);
  if (cursor && clock() - cursor.updatedAt < FRESH_MS) return cursor.head;
  return (await askHead(chain)) ?? cursor?.head ?? 0;
}

/** The chain's own head; null where it does not say so soon. */
async function askHead({ client }: Deps['chain']): Promise<number | null> {
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
