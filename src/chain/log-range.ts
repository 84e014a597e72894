import { BaseError, HttpRequestError, RpcRequestError } from 'viem';
import { RATE_LIMIT_CODES } from './rpc-transport.ts';

/**
 * How many blocks one reading of logs may span. Nodes bound it by blocks, by results or by time, each in its own way and words, so the size is found by
 * trying: it halves where a reading fails or is slow, grows slowly where it succeeds, and is kept for the next reading.
 */
export interface LogRange {
  /** Blocks of the next reading, at least 1. */
  blocks(): number;
  /** A reading of `blocks` succeeded after `elapsedMs`. */
  succeeded(blocks: number, elapsedMs: number): void;
  /** A reading of `blocks` failed. True where a smaller one may succeed, so that it is worth trying at once. */
  failed(blocks: number, error: unknown): boolean;
}

const BLOCKS_MAX = 1_000;
/** An answer that takes longer is close to failing. */
const SLOW_MS = 10_000;
/** After so many successes in a row a size that failed is tried again: the node may have recovered. */
const FORGET_AFTER = 100;

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
      // A short reading proves nothing about a long one.
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

/** Some nodes answer a range that is too large with a code of rate limits; the words tell. */
const TOO_LARGE = /\b(results?|range|blocks?|logs|response size|too (large|big))\b/i;

/** Whether the node says that it is asked too often. Smaller readings would ask it more often still. */
export function isRateLimited(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  const said = error.walk((cause) => cause instanceof RpcRequestError || cause instanceof HttpRequestError);
  if (said instanceof HttpRequestError) return said.status === 429;
  return said instanceof RpcRequestError && RATE_LIMIT_CODES.has(said.code) && !TOO_LARGE.test(said.details);
}
