import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Logger } from '../log/log.ts';
import type { PubSubTransport } from './pubsub.ts';

/** A Redis server that hangs is detected within about a second. */
const PROBE_MS = 500;
const PROBE_TIMEOUT_MS = 600;
/** After this many successive unanswered probes the connections are replaced. */
const MAX_UNANSWERED = 3;

/** Asks a connection regularly whether it is alive. */
interface Probe {
  /** False from the first probe that was not answered to the next one that is. */
  answers(): boolean;
  stop(): void;
}

/**
 * Probes the connections of a transport, and replaces those that hang.
 *
 * @param hangs called when a connection begins to hang
 */
export function startProbe(transport: PubSubTransport, log: Logger, hangs: () => void): Probe {
  /** The number of successive unanswered probes. */
  let unanswered = 0;
  let probing = false;
  let stopped = false;
  const timer = setInterval(async () => {
    if (probing || stopped) return;
    probing = true;
    unanswered = (await within(PROBE_TIMEOUT_MS, transport.probe())) ? 0 : unanswered + 1;
    probing = false;
    if (unanswered === 0 || stopped) return;
    if (unanswered === 1) hangs();
    if (unanswered < MAX_UNANSWERED || !transport.up()) return;
    log.warn({}, 'redis does not answer, reconnecting');
    transport.renew();
  }, PROBE_MS);
  timer.unref();
  return {
    answers: () => unanswered === 0,
    stop() {
      stopped = true;
      clearInterval(timer);
    },
  };
}

/** Whether a promise is fulfilled in time. An answer that has arrived counts, even if a busy process reads it late. */
async function within(timeoutMs: number, promise: Promise<unknown>): Promise<boolean> {
  let fulfilled: boolean | null = null;
  const settled = promise.then(
    () => (fulfilled = true),
    () => (fulfilled = false),
  );
  await Promise.race([settled, setTimeout(timeoutMs, null, { ref: false })]);
  if (fulfilled === null) await setImmediate();
  if (fulfilled === null) await setImmediate();
  return fulfilled === true;
}
