import { sql } from 'kysely';
import { keptBy } from '../../../base/core/kept.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { readWatcherState } from '../../payments/watching/lag.ts';

/** `up`, `down`, or `off` if it is not used. */
export const DEPENDENCY_STATES = ['up', 'down', 'off'] as const;
export type DependencyState = (typeof DEPENDENCY_STATES)[number];

/** The state of the service as a whole. */
export const HEALTHS = ['ok', 'degraded', 'unavailable'] as const;
export type Health = (typeof HEALTHS)[number];

/** The state of one chain. */
export interface ChainHealth {
  readonly chainId: number;
  readonly chain: DependencyState;
  /** Whether some process keeps up with the chain; `off` while no split can be paid. */
  readonly watcher: DependencyState;
}

export interface Dependencies {
  readonly database: DependencyState;
  readonly redis: DependencyState;
  /** The state of the first chain. */
  readonly chain: DependencyState;
  readonly watcher: DependencyState;
  /** The state of every chain, the first one first. */
  readonly chains: readonly ChainHealth[];
}

const ALIVE = query('alive', (db, _: object) => db.selectNoFrom(sql<number>`1`.as('alive')), {
  computed: { alive: 'int4' },
});
const CHECK_TIMEOUT_MS = 1_500;

/** How long a result is reused. */
const FRESH_MS = 1_000;

type HealthDeps = Pick<Deps, 'db' | 'bus' | 'chains' | 'settings'>;

/**
 * The state of the server's dependencies. It is checked at most once a second and shared by all callers. Resolves
 * within 1.5 s even if a dependency hangs. Time is measured by the monotonic clock.
 */
export function currentDependencies(deps: HealthDeps): Promise<Dependencies> {
  const last = lastOf(deps.db);
  const now = performance.now();
  if (last.result === null || now - last.checkedAt >= FRESH_MS) {
    last.checkedAt = now;
    last.result = checkDependencies(deps);
  }
  return last.result;
}

interface Last {
  checkedAt: number;
  result: Promise<Dependencies> | null;
}

const lastOf = keptBy('dependencies’ state', (_db: Deps['db']): Last => ({ checkedAt: 0, result: null }));

/** Checks each dependency. */
async function checkDependencies(deps: HealthDeps): Promise<Dependencies> {
  const { bus, settings } = deps;
  const [database, redis, ...chains] = await Promise.all([
    stateOf(deps.db.run(ALIVE, {})),
    settings.redisUrl ? stateOf(bus.ping()) : ('off' as const),
    ...deps.chains.map((chain) => checkChain(deps, chain)),
  ]);
  const { chain, watcher } = chains[0]!;
  return { database, redis, chain, watcher, chains };
}

async function checkChain({ db }: HealthDeps, chain: Deps['chain']): Promise<ChainHealth> {
  // Both calls travel in one HTTP request.
  const head = Promise.all([chain.client.getBlockNumber(), chain.client.getChainId()]).then(([number, id]) =>
    id === chain.chainId ? Number(number) : Promise.reject(new Error('another chain')),
  );
  const watched = head.catch(() => null).then((number) => readWatcherState(db, chain, number));
  const [node, watcher] = await Promise.all([stateOf(head), answeredInTime(watched)]);
  // Without a result in time the watcher's state is unknown; `chain` or `database` is `down` then.
  return { chainId: chain.chainId, chain: node, watcher: watcher ?? 'up' };
}

async function stateOf(question: Promise<unknown>): Promise<DependencyState> {
  return (await answeredInTime(question.then(() => 'up' as const))) ?? 'down';
}

/** The result; null if there is none within 1.5 s. */
export async function answeredInTime<T>(question: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, CHECK_TIMEOUT_MS, null);
  });
  return Promise.race([question.catch(() => null), late]).finally(() => clearTimeout(timer));
}

/** `ok` if all is up, `degraded` if only the database is up, `unavailable` without the database. */
export function overall({ database, redis, chains }: Dependencies): Health {
  if (database === 'down') return 'unavailable';
  const states = [redis, ...chains.flatMap(({ chain, watcher }) => [chain, watcher])];
  return states.includes('down') ? 'degraded' : 'ok';
}
