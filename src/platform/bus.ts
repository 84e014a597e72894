import { EventEmitter } from 'node:events';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Logger } from './log.ts';
import { isClusterUrl } from './redis.ts';
import { openClusterPubSub } from './redis-cluster-pubsub.ts';
import { openRedisPubSub } from './redis-pubsub.ts';

/**
 * The doorbell between processes. It may lose a ring without a word (Redis pub/sub does), so a message says only that there is something new to read;
 * the truth is in the database.
 */
export interface Bus {
  /** Rings. Never throws and never waits. */
  publish(channel: string, message: string): void;
  /**
   * Listens until the returned function is called. `missed` is told whenever rings may have been lost until now: once the listening has really begun,
   * and after each loss of the connection.
   */
  subscribe(channel: string, listener: (message: string) => void, missed?: () => void): () => void;
  /** False while rings are surely lost; listeners then look for themselves from time to time. */
  healthy(): boolean;
  /** Resolves where the bus answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** A bus within this process, for a server that stands alone. */
export function createLocalBus(): Bus {
  const emitter = new EventEmitter().setMaxListeners(0);
  return {
    publish(channel, message) {
      queueMicrotask(() => emitter.emit(channel, message));
    },
    subscribe(channel, listener) {
      emitter.on(channel, listener);
      return () => emitter.off(channel, listener);
    },
    healthy: () => true,
    ping: async () => {},
    close: async () => {
      emitter.removeAllListeners();
    },
  };
}

/** A Redis that hangs is noticed within about a second. */
const PROBE_MS = 500;
const PROBE_TIMEOUT_MS = 600;
/** So many unanswered probes in a row are more than a busy moment. */
const GIVE_UP = 3;
/** Listening that was refused is tried again after this. */
const RETRY_MS = 300;
/** Rings that could not be sent, kept until they can: of each channel the last. */
const UNSENT = 10_000;

/**
 * A bus over Redis: pub/sub of a server, sharded pub/sub of a cluster (`redis-cluster://`).
 *
 * @param prefix what its channels' names begin with; only processes with the same one hear each other
 */
export function createRedisBus(redisUrl: string, prefix: string, log: Logger): Bus {
  const emitter = new EventEmitter().setMaxListeners(0);
  const missed = new EventEmitter().setMaxListeners(0);
  const unsent = new Map<string, string>();
  /** Names that are not surely heard yet. */
  const pending = new Set<string>();
  let closed = false;

  const heard = () => emitter.eventNames() as string[];
  const wire = (isClusterUrl(redisUrl) ? openClusterPubSub : openRedisPubSub)(redisUrl, log, {
    message: (name, message) => void emitter.emit(name, message),
    sendable() {
      for (const [name, message] of unsent) {
        unsent.delete(name);
        send(name, message);
      }
    },
    listenable(forgotten) {
      if (forgotten) void listen(heard());
      else for (const name of heard()) missed.emit(name);
    },
  });

  function send(name: string, message: string): void {
    wire.publish(name, message).catch(() => {
      if (unsent.size < UNSENT || unsent.has(name)) unsent.set(name, message);
    });
  }

  async function listen(names: readonly string[]): Promise<void> {
    for (const name of names) pending.add(name);
    try {
      if (names.length > 0) await wire.listen(names);
      for (const name of names) {
        pending.delete(name);
        missed.emit(name);
      }
    } catch {
      const again = () => void listen(names.filter((name) => pending.has(name) && emitter.listenerCount(name) > 0));
      if (!closed) void setTimeout(RETRY_MS, null, { ref: false }).then(again);
    }
  }

  /** Probes in a row that were not answered. */
  let silent = 0;
  let probing = false;
  const probe = setInterval(async () => {
    if (probing || closed) return;
    probing = true;
    silent = (await within(PROBE_TIMEOUT_MS, wire.probe())) ? 0 : silent + 1;
    probing = false;
    if (silent === 0 || closed) return;
    // Told at once: what was lost while it hung may have been lost for a second already.
    if (silent === 1) for (const name of heard()) missed.emit(name);
    if (silent < GIVE_UP || !wire.up()) return;
    log.warn({}, 'redis does not answer: connecting anew');
    wire.renew();
  }, PROBE_MS);
  probe.unref();

  return {
    publish: (channel, message) => send(prefix + channel, message),
    subscribe(channel, listener, onMissed) {
      const name = prefix + channel;
      const first = emitter.listenerCount(name) === 0;
      emitter.on(name, listener);
      if (onMissed) missed.on(name, onMissed);
      if (first) void listen([name]);
      else if (onMissed && !pending.has(name)) queueMicrotask(onMissed);
      return () => {
        emitter.off(name, listener);
        if (onMissed) missed.off(name, onMissed);
        if (emitter.listenerCount(name) > 0) return;
        pending.delete(name);
        // What still rings is heard by nobody; a connection that is lost forgets it by itself.
        wire.unlisten(name).catch(() => {});
      };
    },
    healthy: () => silent === 0 && pending.size === 0 && wire.up(),
    async ping() {
      await wire.ping();
    },
    async close() {
      closed = true;
      clearInterval(probe);
      wire.close();
    },
  };
}

/** Whether a promise is kept in time. An answer that is there counts, however late a busy process comes to read it. */
async function within(timeoutMs: number, promise: Promise<unknown>): Promise<boolean> {
  let kept: boolean | null = null;
  const settled = promise.then(
    () => (kept = true),
    () => (kept = false),
  );
  await Promise.race([settled, setTimeout(timeoutMs, null, { ref: false })]);
  if (kept === null) await setImmediate();
  if (kept === null) await setImmediate();
  return kept === true;
}
