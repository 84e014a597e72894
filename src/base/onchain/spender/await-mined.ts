import { setTimeout } from 'node:timers/promises';
import { readNonce } from '../../chain/raw-transactions.ts';
import { Refusal } from '../../core/errors.ts';
import type { LaneDeps } from './deps.ts';
import { followTransactions } from './follow-transactions.ts';
import type { Outcome, OutcomeHandlers } from './outcome-handler.ts';
import type { SigningWallet } from './wallet.ts';

const LOCAL_POLL_MS = 20;
/** A full pass every so many polls, also if the transaction count has not changed. */
const POLLS_PER_FOLLOW = 20;

/**
 * Waits until the transactions are in blocks, at most `waitMs`, and records their outcomes. Returns the outcomes that
 * it recorded. A chain that does not respond is asked again.
 */
export async function awaitMined(
  deps: LaneDeps,
  wallet: SigningWallet,
  handlers: OutcomeHandlers,
  nonces: readonly number[],
  { waitMs, signal }: { readonly waitMs: number; readonly signal?: AbortSignal },
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const pollMs = Math.max(LOCAL_POLL_MS, Math.min(deps.chain.client.pollingInterval, 1_000) / 2);
  const untilMs = performance.now() + waitMs;
  for (let polls = 0; nonces.length > 0 && !signal?.aborted; polls++) {
    const isLast = performance.now() >= untilMs;
    // Poll the cheap transaction count, and run a full pass only when it exceeds the nonces, and every few polls.
    const mined = (await unlessRefused(readNonce(deps.chain, wallet.sender))) ?? 0;
    if (mined > Math.max(...nonces) || polls % POLLS_PER_FOLLOW === POLLS_PER_FOLLOW - 1 || isLast) {
      const report = await unlessRefused(followTransactions(deps, wallet, handlers, { nonces }));
      outcomes.push(...(report?.outcomes ?? []));
      if (report?.open.length === 0 || isLast) break;
    }
    await setTimeout(pollMs);
  }
  return outcomes;
}

/** Null for a refusal, such as `chain_unavailable`. */
async function unlessRefused<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
