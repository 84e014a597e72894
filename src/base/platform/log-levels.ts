import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { parseJson } from '../core/json.ts';
import { keptBy } from '../core/kept.ts';
import { LOG_COMPONENTS, LOG_LEVELS, type LogComponent, type LogLevel } from '../core/log-level.ts';
import type { Bus } from './bus.ts';
import { type Logger, setLevel } from './log/log.ts';

const ORDER_CHANNEL = 'log:level';
const TAKEN_CHANNEL = 'log:level-taken';
/** The subscription to the answers is active by then. */
const SUBSCRIBED_MS = 300;
/** A process takes the level within a few milliseconds. */
const WAIT_MS = 1_000;

const orderShape = z.object({
  id: z.string(),
  component: z.enum(Object.keys(LOG_COMPONENTS) as [LogComponent]).nullable(),
  level: z.enum(LOG_LEVELS),
});

/** What a level is set for. */
export interface LevelOrder {
  /** Null: the whole process. */
  readonly component: LogComponent | null;
  readonly level: LogLevel;
}

/** The followers of a process: its server and its workers share one subscription. */
const followersOf = keptBy('followers of log levels', (_bus: Bus) => ({ count: 0, end: () => {} }));

/** Sets the levels that operators ask for, until it is stopped. A restart forgets them. */
export function followLogLevels({ bus, log }: { readonly bus: Bus; readonly log: Logger }): { stop(): void } {
  const followers = followersOf(bus);
  if (followers.count++ === 0)
    followers.end = bus.subscribe(ORDER_CHANNEL, (message) => {
      const order = orderShape.safeParse(parseJson(message));
      if (!order.success) return;
      const { id, component, level } = order.data;
      setLevel(log, component, level);
      bus.publish(TAKEN_CHANNEL, id);
    });
  return {
    stop() {
      if (--followers.count === 0) followers.end();
    },
  };
}

/**
 * Sets the level of every running process that shares this bus. Messages may be lost, so it returns the number of
 * processes that have set it within a second.
 */
export async function setLogLevels(bus: Bus, order: LevelOrder): Promise<number> {
  const id = randomUUID();
  let taken = 0;
  const { promise: active, resolve } = Promise.withResolvers<void>();
  const end = bus.subscribe(
    TAKEN_CHANNEL,
    (message) => {
      if (message === id) taken += 1;
    },
    resolve,
  );
  try {
    // A bus within one process does not call back; one that does not answer is not waited for.
    await Promise.race([active, pause(SUBSCRIBED_MS)]);
    bus.publish(ORDER_CHANNEL, JSON.stringify({ id, ...order }));
    await pause(WAIT_MS);
    return taken;
  } finally {
    end();
  }
}
