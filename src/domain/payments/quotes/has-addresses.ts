import { whyNoAddresses } from '../../../base/chain/receipt-address.ts';
import { weakMemo } from '../../../base/core/weak-memo.ts';
import { readUnreadAddresses } from '../../../base/onchain/blocks/cursor.ts';
import type { Deps } from '../../../base/platform/deps.ts';

type AskDeps = Pick<Deps, 'sql' | 'chain' | 'log'>;

/** How long an answer about the watcher, or about a chain without addresses, is used. */
const USED_MS = 10_000;

const statesOf = weakMemo((_chain: Deps['chain']) => ({
  isProven: false,
  answer: Promise.resolve(false),
  askedAt: Number.NEGATIVE_INFINITY,
}));

/**
 * Whether receipts' addresses may be shown on the chain: the factory is there and makes the addresses that this server
 * computes, which is proven once, and the leader reads what arrives at them, which a server of version 0.1 does not. A
 * chain that does not answer has none. Throws `datastore_unavailable`.
 */
export function hasAddresses(deps: AskDeps): Promise<boolean> {
  const state = statesOf(deps.chain);
  if (performance.now() - state.askedAt < USED_MS) return state.answer;
  state.askedAt = performance.now();
  state.answer = ask(deps, state);
  // What failed is asked again by the next request.
  state.answer.catch(() => {
    state.askedAt = Number.NEGATIVE_INFINITY;
  });
  return state.answer;
}

async function ask({ sql, chain, log }: AskDeps, state: { isProven: boolean }): Promise<boolean> {
  const [reason, unread] = await Promise.all([
    state.isProven ? null : whyNoAddresses(chain).catch(() => 'the chain does not answer'),
    readUnreadAddresses({ sql, chain }),
  ]);
  state.isProven = reason === null;
  if (reason !== null) log.warn({ chainId: chain.chainId, reason }, 'no payments are offered on a chain');
  return state.isProven && unread === null;
}
