import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { testDatabase } from '../../../../../test/support/database.ts';
import { entities } from '../../../../app/entities.ts';
import type { Wallet } from '../../../../base/core/wallet.ts';
import { createLocalBus, createRedisBus } from '../../../../base/platform/bus.ts';
import { readConfig } from '../../../../base/platform/config/config.ts';
import { createDb } from '../../../../base/platform/db.ts';
import type { Deps, Settings } from '../../../../base/platform/deps.ts';
import { createLocalHeartbeats, createRedisHeartbeats } from '../../../../base/platform/heartbeats.ts';
import { createLog } from '../../../../base/platform/log/log.ts';
import { createOrm } from '../../../../base/platform/orm.ts';
import { redisPrefix } from '../../../../base/platform/redis/redis.ts';
import { followPresence } from '../presence.ts';
import type { PresenceEvent } from '../presence-state.ts';
import { startPresence } from '../worker.ts';

export type UserDeps = Pick<Deps, 'db' | 'bus' | 'heartbeats' | 'clock' | 'log' | 'settings'>;

/** A clock that a test can move, shared by all its processes. */
export interface MovedClock {
  (): number;
  offsetMs: number;
}

export function movedClock(): MovedClock {
  const clock = (() => Date.now() + clock.offsetMs) as MovedClock;
  clock.offsetMs = 0;
  return clock;
}

export const randomWallet = (): Wallet => `0x${randomBytes(20).toString('hex')}` as Wallet;

export interface SceneOptions {
  readonly databaseUrl?: string;
  readonly redisUrl?: string;
  readonly clock?: () => number;
  /** Runs the presence worker, like a server. */
  readonly presence?: boolean;
}

/** The dependencies of one server process, closed when the test ends. */
export async function openProcess(options: SceneOptions = {}): Promise<UserDeps & { stop(): Promise<void> }> {
  const databaseUrl = options.databaseUrl ?? (await testDatabase());
  const log = createLog(process.env.TEST_LOG ?? 'silent');
  const prefix = redisPrefix(databaseUrl);
  const orm = await createOrm(databaseUrl, entities);
  const deps: UserDeps = {
    db: createDb(databaseUrl, orm, log),
    bus: options.redisUrl ? createRedisBus(options.redisUrl, prefix, log) : createLocalBus(),
    heartbeats: options.redisUrl ? createRedisHeartbeats(options.redisUrl, prefix, log) : createLocalHeartbeats(),
    clock: options.clock ?? Date.now,
    log,
    settings: readConfig({ BASE_URL: 'https://pay.example' }) as Settings,
  };
  const presence = options.presence ? startPresence(deps) : null;
  let stopped = false;
  const stop = async () => {
    if (stopped) return;
    stopped = true;
    await presence?.stop();
    deps.heartbeats.close();
    await Promise.all([deps.db.close(), deps.db.orm.close(), deps.bus.close()]);
  };
  onTestFinished(stop);
  return { ...deps, stop };
}

/** Collects the events of a presence stream: the first reads, then the shared feed, as a server delivers them. */
export async function collectPresence(
  deps: UserDeps,
  wallets: readonly Wallet[] | null = null,
): Promise<PresenceEvent[]> {
  const source = followPresence(deps, { wallets });
  const received: PresenceEvent[] = [];
  do received.push(...(await source.read()).events);
  while (!source.joinFeed());
  const mute = source.tail.listen(
    (events) => void received.push(...events.filter((event) => source.wants?.(event) ?? true)),
  );
  onTestFinished(() => {
    mute();
    source.close();
  });
  return received;
}
