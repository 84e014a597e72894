import { weakMemo } from '../core/weak-memo.ts';
import { readWatcherState } from '../payments/lag.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';

/** `up`, `down`, or `off` where it is not used. */
export type State = 'up' | 'down' | 'off';

export interface Dependencies {
  readonly database: State;
  readonly redis: State;
  readonly chain: State;
  /** Whether some process keeps up with the chain; `off` while there is no split to be paid through. */
  readonly watcher: State;
}

const ALIVE = statement('alive', 'select 1');
const PATIENCE_MS = 1_500;

/** How long an answer is used again. */
const FRESH_MS = 1_000;

type HealthDeps = Pick<Deps, 'sql' | 'bus' | 'chain' | 'settings'>;

/**
 * The state of what the server depends on: asked at most once a second, however many ask, and shared by all of them. Answers within 1.5 s whatever they
 * do. Time is measured by the monotonic clock.
 */
export function currentDependencies(deps: HealthDeps): Promise<Dependencies> {
  const kept = lastOf(deps.sql);
  const now = performance.now();
  if (kept.answer === null || now - kept.askedAt >= FRESH_MS) {
    kept.askedAt = now;
    kept.answer = checkDependencies(deps);
  }
  return kept.answer;
}

interface Last {
  askedAt: number;
  answer: Promise<Dependencies> | null;
}

const lastOf = weakMemo((_sql: Deps['sql']): Last => ({ askedAt: 0, answer: null }));

/** Asks each thing the server stands on whether it is there. */
async function checkDependencies({ sql, bus, chain, settings }: HealthDeps): Promise<Dependencies> {
  // Both questions travel in one request.
  const head = Promise.all([chain.client.getBlockNumber(), chain.client.getChainId()]).then(([number, id]) =>
    id === chain.chainId ? Number(number) : Promise.reject(new Error('another chain')),
  );
  const watched = head.catch(() => null).then((number) => readWatcherState({ sql, chain }, number));
  const [database, redis, node, watcher] = await Promise.all([
    stateOf(sql.rows(ALIVE, [])),
    settings.redisUrl ? stateOf(bus.ping()) : ('off' as const),
    stateOf(head),
    answeredInTime(watched),
  ]);
  // Without an answer in time nothing is known of the watcher; `chain` or `database` is down then.
  return { database, redis, chain: node, watcher: watcher ?? 'up' };
}

async function stateOf(question: Promise<unknown>): Promise<State> {
  return (await answeredInTime(question.then(() => 'up' as const))) ?? 'down';
}

/** The answer; null where there is none within 1.5 s. */
async function answeredInTime<T>(question: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, null);
  });
  return Promise.race([question.catch(() => null), late]).finally(() => clearTimeout(timer));
}

/** `ok` where all is there, `degraded` where the database is and something else is not, `unavailable` without the database. */
export function overall({ database, redis, chain, watcher }: Dependencies): 'ok' | 'degraded' | 'unavailable' {
  if (database === 'down') return 'unavailable';
  return [redis, chain, watcher].includes('down') ? 'degraded' : 'ok';
}
