import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';

/** `up`, `down`, or `off` where it is not used. */
export type State = 'up' | 'down' | 'off';

export interface Dependencies {
  readonly database: State;
  readonly redis: State;
  readonly chain: State;
}

const ALIVE = statement('alive', 'select 1');
const PATIENCE_MS = 1_500;

/** Asks each thing the server stands on whether it is there; answers within 1.5 s whatever they do. */
export async function checkDependencies({
  sql,
  bus,
  chain,
  settings,
}: Pick<Deps, 'sql' | 'bus' | 'chain' | 'settings'>): Promise<Dependencies> {
  const [database, redis, node] = await Promise.all([
    stateOf(sql.rows(ALIVE, [])),
    settings.redisUrl ? stateOf(bus.ping()) : ('off' as const),
    stateOf(chain.client.getChainId().then((id) => id === chain.chainId || Promise.reject(new Error('another chain')))),
  ]);
  return { database, redis, chain: node };
}

async function stateOf(question: Promise<unknown>): Promise<State> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<State>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, 'down');
  });
  const answered = question.then(
    () => 'up' as const,
    () => 'down' as const,
  );
  return Promise.race([answered, late]).finally(() => clearTimeout(timer));
}

/** `ok` where all is there, `degraded` where the database is and something else is not, `unavailable` without the database. */
export function overall({ database, redis, chain }: Dependencies): 'ok' | 'degraded' | 'unavailable' {
  if (database === 'down') return 'unavailable';
  return redis === 'down' || chain === 'down' ? 'degraded' : 'ok';
}
