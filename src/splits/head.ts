import { reach } from '../chain/client.ts';
import { Refusal } from '../core/errors.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';

const CURSOR = statement('chain-head', 'select head, updated_at as "updatedAt" from chain_cursors where chain_id = $1');

/** A head that the watcher saw this lately is as good as the node's own. */
const FRESH_MS = 60_000;

/**
 * The newest block known: the watcher's where it is up to date, else the chain's own, else the watcher's last, else 0. Never refuses because of the
 * chain: a split can be set while its node is down, and an older block only means that more is looked at.
 */
export async function knownHead({ sql, chain, clock }: Pick<Deps, 'sql' | 'chain' | 'clock'>): Promise<number> {
  const [cursor] = await sql.rows<{ head: number; updatedAt: number }>(CURSOR, [chain.chainId]);
  if (cursor && clock() - cursor.updatedAt < FRESH_MS) return cursor.head;
  try {
    return Number(await reach(chain.client.getBlockNumber()));
  } catch (error) {
    if (error instanceof Refusal) return cursor?.head ?? 0;
    throw error;
  }
}
