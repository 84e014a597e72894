import { readUnreadAddresses } from '../blocks/cursor.ts';
import { whyNoAddresses } from '../chain/receipt-address.ts';
import { weakMemo } from '../core/weak-memo.ts';
import type { Deps } from '../platform/deps.ts';

/** How long an answer about the watcher, or about a chain without addresses, is used. */
const USED_MS = 10_000;

const statesOf = weakMemo((_chain: Deps['chain']) => ({
  isProven: false,
  isWatched: false,
  askedAt: Number.NEGATIVE_INFINITY,
}));

/**
 * Whether receipts' addresses may be shown on the chain: the factory is there and makes the addresses that this server
 * computes, which is proven once, and the leader reads what arrives at them, which a server of version 0.1 does not. A
 * chain that does not answer has none.
 */
export async function hasAddresses(deps: Pick<Deps, 'sql' | 'chain' | 'log'>): Promise<boolean> {
  const { chain, log } = deps;
  const state = statesOf(chain);
  if (performance.now() - state.askedAt < USED_MS) return state.isProven && state.isWatched;
  state.askedAt = performance.now();
  const [reason, unread] = await Promise.all([
    state.isProven ? null : whyNoAddresses(chain).catch(() => 'the chain does not answer'),
    readUnreadAddresses(deps),
  ]);
  state.isProven = reason === null;
  state.isWatched = unread === null;
  if (reason !== null) log.warn({ chainId: chain.chainId, reason }, 'no payments are offered on a chain');
  return state.isProven && state.isWatched;
}
