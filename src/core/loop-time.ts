/**
 * Time limits that count only the time in which the event loop ran. While the loop is blocked, or the process is not scheduled, an answer may have arrived
 * that nobody could read, so a limit that passes then proves nothing about the other side.
 */

/** How often the time is looked at. */
const TICK_MS = 50;
/** What a tick counts at most, however late it comes. */
const LONGEST_TICK_MS = 2 * TICK_MS;
/** Lost time from which on the loop counts as blocked. */
const BLOCKED_MS = 250;

// Taken once, so that a test that replaces the clock stops no limit of the files that share its process.
const every = setInterval;
const clockMs = performance.now.bind(performance);

interface Limit {
  readonly dueMs: number;
  expire(): void;
}

/** How long the loop has run while somebody waited. */
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
    // What has arrived meanwhile is read first; its reader cancels the limit.
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

/** Calls `expire` once the event loop has run for `limitMs`, unless the returned function is called before. It keeps no process alive. */
export function afterLoopTime(limitMs: number, expire: () => void): () => void {
  start();
  return add({ dueMs: ranMs + limitMs, expire });
}

/** Watches the event loop until `end`. */
export interface LoopWatch {
  /** Whether the loop was blocked meanwhile. */
  wasBlocked(): boolean;
  end(): void;
}

/** Begins to watch the event loop. */
export function watchLoop(): LoopWatch {
  start();
  const beganMs = clockMs();
  const ranBeforeMs = ranMs + Math.min(beganMs - tickedAtMs, LONGEST_TICK_MS);
  const end = add({ dueMs: Number.POSITIVE_INFINITY, expire() {} });
  return {
    wasBlocked() {
      const sinceTickMs = Math.min(clockMs() - tickedAtMs, LONGEST_TICK_MS);
      return clockMs() - beganMs - (ranMs + sinceTickMs - ranBeforeMs) > BLOCKED_MS;
    },
    end,
  };
}
