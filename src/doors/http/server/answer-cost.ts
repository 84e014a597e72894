import type { FastifyRequest } from 'fastify';
import type { Standing } from '../../../domain/access/gateway/rolling-window.ts';

/** The header by which a request asks for the cost of its operation. */
const COST_HEADER = 'x-graphql-cost';

/** What an operation counted against the caller's rate limit, in requests of the window. */
interface Cost {
  readonly requested: number;
  /** The limit of the window, what remains of it, and when it resets (epoch milliseconds). Null: there is no limit. */
  readonly limit: number | null;
  readonly remaining: number | null;
  readonly resetAt: number | null;
}

/** Collects the cost of one operation. */
export interface HeldCost {
  /** Adds a number of requests, and the window after them. */
  count(requests: number, standing: Standing | null): void;
  /** The requests of all categories, and the window with the least left. */
  total(): Cost;
}

/** The collector for a request that asks for its cost; null for any other. */
export function costHeld({ headers }: Pick<FastifyRequest, 'headers'>): HeldCost | null {
  const asked = headers[COST_HEADER];
  if (asked !== '1' && asked !== 'true') return null;
  let requested = 0;
  let least: Standing | null = null;
  return {
    count(requests, standing) {
      requested += requests;
      if (standing && (least === null || standing.remaining < least.remaining)) least = standing;
    },
    total: () => ({
      requested,
      limit: least?.limit ?? null,
      remaining: least?.remaining ?? null,
      resetAt: least?.resetAtMs ?? null,
    }),
  };
}
