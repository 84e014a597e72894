/** How long a request counts. */
export const WINDOW_MS = 60_000;

/** The state of a window after a request. */
export interface Standing {
  readonly allowed: boolean;
  readonly limit: number;
  /** The remaining part of the limit. */
  readonly remaining: number;
  /**
   * Epoch milliseconds. For a refused request, when it will fit; for an accepted one, when the oldest counted request
   * expires.
   */
  readonly resetAtMs: number;
}

/**
 * The last minute of one caller, exact to the millisecond: times and costs, oldest first. Refused requests do not
 * count.
 */
export interface Window {
  take(limit: number, cost: number, now: number): Standing;
}

/** Creates an empty window. It holds at most one entry per millisecond, and at most as many as were accepted. */
export function createWindow(): Window {
  let moments: number[] = [];
  let costs: number[] = [];
  let head = 0;
  let total = 0;

  function forget(now: number): void {
    // An entry from the future was made before the clock was set back. It would count for too long.
    while (head < moments.length && (moments[head]! <= now - WINDOW_MS || moments[head]! > now + WINDOW_MS)) {
      total -= costs[head++]!;
    }
    if (head > 64 && head * 2 > moments.length) {
      moments = moments.slice(head);
      costs = costs.slice(head);
      head = 0;
    }
  }

  function fitsAt(limit: number, cost: number): number {
    let left = total;
    for (let i = head; i < moments.length; i++) {
      left -= costs[i]!;
      if (left + cost <= limit) return moments[i]! + WINDOW_MS;
    }
    return (moments.at(-1) ?? 0) + WINDOW_MS;
  }

  return {
    take(limit, cost, now) {
      forget(now);
      if (total + cost > limit) {
        return { allowed: false, limit, remaining: Math.max(0, limit - total), resetAtMs: fitsAt(limit, cost) };
      }
      total += cost;
      const last = moments.length - 1;
      if (last >= head && moments[last] === now) costs[last]! += cost;
      else {
        moments.push(now);
        costs.push(cost);
      }
      return { allowed: true, limit, remaining: limit - total, resetAtMs: moments[head]! + WINDOW_MS };
    },
  };
}
