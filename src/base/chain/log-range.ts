import { BaseError, HttpRequestError, RpcRequestError } from 'viem';
import { RATE_LIMIT_CODES } from './rpc-transport.ts';

/**
 * The number of blocks that one read of logs may span. Nodes limit it by blocks, results or time, and report it
 * differently, so the size is adapted: it is halved after a failed or slow read and grows slowly after successful
 * reads.
 */
export interface LogRange {
  /** The size of the next read, at least 1. */
  blocks(): number;
  /** Records that a read of `blocks` succeeded after `elapsedMs`. */
  succeeded(blocks: number, elapsedMs: number): void;
  /** Records that a read of `blocks` failed. True if a smaller read may succeed and should be tried at once. */
  failed(blocks: number, error: unknown): boolean;
}

const BLOCKS_MAX = 1_000;
/** A read that takes longer may soon fail. */
const SLOW_MS = 10_000;
/** After this many successive successes a size that failed is tried again: the node may have recovered. */
const FORGET_AFTER = 100;

/** Creates the range of reads of one node. It begins with the largest read. */
export function createLogRange(): LogRange {
  let blocks = BLOCKS_MAX;
  let failedBlocks = Number.POSITIVE_INFINITY;
  let successes = 0;

  function shrink(tried: number): void {
    blocks = Math.max(1, Math.floor(tried / 2));
    if (tried > 1) failedBlocks = Math.min(failedBlocks, tried);
    successes = 0;
  }

  return {
    blocks: () => blocks,
    succeeded(read, elapsedMs) {
      if (elapsedMs > SLOW_MS) return shrink(read);
      // A short read proves nothing about a longer one.
      if (read < blocks) return;
      successes += 1;
      if (successes > FORGET_AFTER) failedBlocks = Number.POSITIVE_INFINITY;
      const grown = Math.min(BLOCKS_MAX, blocks + Math.ceil(blocks / 4));
      blocks = Math.max(blocks, Math.min(grown, failedBlocks - 1));
    },
    failed(tried, error) {
      if (isRateLimited(error) || tried <= 1) return false;
      shrink(tried);
      return true;
    },
  };
}

/**
 * Reads the logs of `blocks` blocks and adapts the size of the next read. `'too_large'`: a smaller read may succeed and
 * should be tried at once.
 */
export async function readWithin<T>(range: LogRange, blocks: number, read: () => Promise<T>): Promise<T | 'too_large'> {
  const startedAt = performance.now();
  try {
    const logs = await read();
    range.succeeded(blocks, performance.now() - startedAt);
    return logs;
  } catch (error) {
    if (range.failed(blocks, error)) return 'too_large';
    throw error;
  }
}

/** Some nodes reject a range that is too large with a rate limit code; the message shows it. */
const TOO_LARGE = /\b(results?|range|blocks?|logs|response size|too (large|big))\b/i;

/** Whether the error is a rate limit. Smaller reads would send even more requests. */
function isRateLimited(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  const reported = error.walk((cause) => cause instanceof RpcRequestError || cause instanceof HttpRequestError);
  if (reported instanceof HttpRequestError) return reported.status === 429;
  return (
    reported instanceof RpcRequestError && RATE_LIMIT_CODES.has(reported.code) && !TOO_LARGE.test(reported.details)
  );
}
