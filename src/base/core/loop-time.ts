/**
 * Time limits that count only the time in which the event loop ran. While the loop is blocked or the process is not
 * scheduled, an answer may arrive without being read. A limit that expires during that time proves nothing about the
 * other side.
 */

/** The interval of the ticker. */
const TICK_MS = 50;
/** The most that one tick counts, however late it fires. */
const LONGEST_TICK_MS = 2 * TICK_MS;
/** The loop counts as blocked once it has lost more than this share of the time. */
const BLOCKED_SHARE = 0.5;

// Captured at load, so that a test with a fake clock does not stop the limits of other files in its process.
const every = setInterval;
const clockMs = performance.now.bind(performance);

interface Limit {
  readonly dueMs: number;
  expire(): void;
}

/** How long the loop has run while there was at least one limit. */
let ranMs = 0;
let tickedAtMs = 0;
let ticker: NodeJS.Timeout | null = null;
const limits = new Set<Limit>();

function count(): void {
  const nowMs = clockMs();
  ranMs += Math.min(nowMs - tickedAtMs, LONGEST_TICK_MS);
  tickedAtMs = nowMs;
}

function tick(): void {
  count();
  for (const limit of limits) {
    if (limit.dueMs > ranMs) continue;
    // Data that has arrived is read first: its reader cancels the limit.
    setImmediate(() => setImmediate(() => limits.delete(limit) && limit.expire()));
  }
  if (limits.size > 0 || !ticker) return;
  clearInterval(ticker);
  ticker = null;
}

function add(limit: Limit): () => void {
  limits.add(limit);
  return () => void limits.delete(limit);
}

function start(): void {
  if (ticker) return;
  tickedAtMs = clockMs();
  ticker = every(tick, TICK_MS).unref();
}

/**
 * Calls `expire` once the event loop has run for `limitMs`, unless the returned function is called first. The timer
 * does not keep the process alive.
 */
export function afterLoopTime(limitMs: number, expire: () => void): () => void {
  start();
  return add({ dueMs: ranMs + limitMs, expire });
}

/** An observation of the event loop, from `watchLoop` to `end`. */
export interface LoopWatch {
  /**
   * Whether the loop was blocked for most of the time since the observation began. Short pauses on a busy machine are
   * no reason to wait for a second time: a request has 2.5 s.
   */
  wasBlocked(): boolean;
  end(): void;
}

/** Starts to observe the event loop. */
export function watchLoop(): LoopWatch {
  start();
  const beganMs = clockMs();
  const ranBeforeMs = ranMs + Math.min(beganMs - tickedAtMs, LONGEST_TICK_MS);
  const end = add({ dueMs: Number.POSITIVE_INFINITY, expire() {} });
  return {
    wasBlocked() {
      const sinceTickMs = Math.min(clockMs() - tickedAtMs, LONGEST_TICK_MS);
      const tookMs = clockMs() - beganMs;
      return tookMs - (ranMs + sinceTickMs - ranBeforeMs) > tookMs * BLOCKED_SHARE;
    },
    end,
  };
}
