import { type KeptName, keptBy } from '../../../base/core/kept.ts';
import { areFeesAboveCeiling } from '../../../base/onchain/spender/fees.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { QueueAge } from '../../../base/platform/jobs.ts';
import { listPauses } from '../../payments/quotes/pauses.ts';
import { readSearchLag } from '../../reports/receipt-search/index-state.ts';
import { staticCoins } from '../../shop/fx/static-coins.ts';
import { listEmptyChoices } from '../../shop/merchants/empty-choices.ts';
import { type FailingEndpoint, listFailingEndpoints } from '../../webhooks/endpoints/read.ts';
import { answeredInTime, type ChainHealth, currentDependencies } from './dependencies.ts';
import { type GasWallet, readGasWallets, readWatcherProgress, type WatcherProgress } from './progress.ts';
import { readQueueAges, type WatchedQueue } from './queues.ts';

/** Everything that needs the operator, with what to do. */
export const ALARMS = {
  redis_down: 'Start Redis, or check REDIS_URL. Live events arrive up to two seconds late meanwhile.',
  chain_down: 'Check the RPC endpoint of RPC_URL and add one to RPC_FALLBACK_URL. Payments wait meanwhile.',
  watcher_behind: 'Check that a worker runs, and the RPC endpoint: its limits, speed and log index.',
  static_rate: 'Set FX_SOURCE=chainlink, or remove the coin from TOKENS: its rate never expires.',
  shop_takes_nothing: 'Accept one of their tokens again (TOKENS, CHAINS), or ask the shops to choose others.',
  search_behind: 'Check the load of the database and the log of the worker.',
  fees_above_ceiling: 'Wait, or raise MAX_FEE_GWEI: transactions wait for lower fees.',
  payments_paused: 'Resume them in the console or with `quittance resume`, once the reason is gone.',
  wallet_low: 'Send native coins to the wallet: it soon cannot pay for its transactions.',
  queue_old: 'Check that a worker runs, and its log: jobs wait for more than a minute.',
  orders_quarantined: 'See `quittance journal list`, remove the cause, then run `quittance journal retry`.',
  endpoint_failing: 'Inform the merchant. After the repair, send the failed deliveries again.',
} as const satisfies Readonly<Record<string, string>>;

type AlarmCode = keyof typeof ALARMS;

/** Something that needs the operator. */
export interface Alarm {
  readonly code: AlarmCode;
  /** What was found, in one sentence. */
  readonly message: string;
}

/** The search of receipts is usually less than a second behind. */
const SEARCH_LAG_MAX_MS = 10_000;

type WarningDeps = Pick<Deps, 'db' | 'chain' | 'chains' | 'settings' | 'clock' | 'rates' | 'log' | 'journal'>;

/** Reads at most once in a while for each database. */
const atMostEvery = <T>(name: KeptName, everyMs: number, read: (deps: WarningDeps) => Promise<T>) =>
  keptBy(name, (_db: Deps['db']) => {
    let last: Promise<T> | null = null;
    let readAt = 0;
    return (deps: WarningDeps) => {
      const now = performance.now();
      if (last === null || now - readAt >= everyMs) {
        readAt = now;
        last = read(deps);
      }
      return last;
    };
  });

const searchLag = atMostEvery('alarm: search lag', 1_000, ({ db, clock }) =>
  readSearchLag(db, clock()).then(({ lagMs }) => lagMs),
);
const pauses = atMostEvery('alarm: pauses', 1_000, ({ db }) => listPauses(db));
/** It reads every merchant. */
const emptyChoices = atMostEvery('alarm: shops that take nothing', 30_000, listEmptyChoices);

const shopsTakingNothing = (wallets: readonly string[]): Alarm[] =>
  wallets.length === 0
    ? []
    : [
        {
          code: 'shop_takes_nothing',
          message: `${wallets.length} ${wallets.length === 1 ? 'shop has' : 'shops have'} chosen only tokens that this server does not accept`,
        },
      ];

/** Acknowledged orders that this server could not insert. */
function ordersQuarantined({ journal }: WarningDeps): Alarm[] {
  const { length } = journal.quarantined();
  if (length === 0) return [];
  const message = `${length} acknowledged ${length === 1 ? 'order' : 'orders'} could not be inserted into the database`;
  return [{ code: 'orders_quarantined', message }];
}

/** Settings to correct and work that waits, as `/healthz` lists them in `warnings`. Reads at most once a second. */
export async function currentWarnings(deps: WarningDeps): Promise<Alarm[]> {
  const [lagMs, paused, unpayable] = await Promise.all([
    answeredInTime(searchLag(deps.db)(deps)),
    answeredInTime(pauses(deps.db)(deps)),
    answeredInTime(emptyChoices(deps.db)(deps)),
  ]);
  return [
    ...staticCoins(deps).map((symbol) => ({ code: 'static_rate', message: `${symbol} has a static rate` }) as const),
    ...(lagMs !== null && lagMs > SEARCH_LAG_MAX_MS
      ? [{ code: 'search_behind', message: `the search of receipts is ${Math.round(lagMs / 1000)} s behind` } as const]
      : []),
    ...(areFeesAboveCeiling(deps)
      ? [{ code: 'fees_above_ceiling', message: 'fees are above MAX_FEE_GWEI' } as const]
      : []),
    ...(paused ?? []).map(
      ({ chainId, token }) =>
        ({
          code: 'payments_paused',
          message: `payments ${token ? `in ${token} ` : ''}on chain ${chainId} are paused`,
        }) as const,
    ),
    ...shopsTakingNothing(unpayable ?? []),
    ...ordersQuarantined(deps),
  ];
}

const REDIS_DOWN: Alarm = { code: 'redis_down', message: 'Redis does not answer' };

/** What is down on a chain. It is named if there are several. */
function chainAlarms({ chainId, chain, watcher }: ChainHealth, several: boolean): Alarm[] {
  const name = several ? `chain ${chainId}` : 'the chain';
  return [
    ...(chain === 'down'
      ? [{ code: 'chain_down', message: `the RPC endpoint of ${name} does not answer` } as const]
      : []),
    ...(watcher === 'down'
      ? [{ code: 'watcher_behind', message: `payments on ${name} are detected late` } as const]
      : []),
  ];
}

/** What is down, and the warnings. */
async function dependencyAlarms(deps: WarningDeps & Pick<Deps, 'bus' | 'chains'>): Promise<Alarm[]> {
  const [{ redis, chains }, warnings] = await Promise.all([currentDependencies(deps), currentWarnings(deps)]);
  const onChains = chains.flatMap((one) => chainAlarms(one, chains.length > 1));
  return [...(redis === 'down' ? [REDIS_DOWN] : []), ...onChains, ...warnings];
}

/** The installation, as its operator sees it. */
export interface PlatformState {
  /** The progress on every chain, that of the first one first. */
  readonly watchers: readonly WatcherProgress[];
  readonly queues: readonly QueueAge<WatchedQueue>[];
  readonly wallets: readonly GasWallet[];
  readonly failingEndpoints: readonly FailingEndpoint[];
  readonly alarms: readonly Alarm[];
}

/** A job that could run waits no longer than this while a worker runs. */
const QUEUE_OLD_S = 60;

/** Reads who is behind, and what needs the operator. */
export async function readPlatform(
  deps: Pick<Deps, 'db' | 'bus' | 'chain' | 'chains' | 'settings' | 'clock' | 'rates' | 'log' | 'journal'>,
): Promise<PlatformState> {
  const [watchers, queues, wallets, failingEndpoints, known] = await Promise.all([
    Promise.all(deps.chains.map((chain) => readWatcherProgress({ ...deps, chain }))),
    readQueueAges(deps.db),
    readGasWallets(deps),
    listFailingEndpoints(deps.db),
    dependencyAlarms(deps),
  ]);
  const alarms: Alarm[] = [
    ...known,
    ...wallets
      .filter(({ low }) => low)
      .map(({ chainId, role, address, balance }) => ({
        code: 'wallet_low' as const,
        message: `the ${role} wallet ${address} has ${balance} native coins left on chain ${chainId}`,
      })),
    ...queues
      .filter(({ oldestSeconds }) => oldestSeconds > QUEUE_OLD_S)
      .map(({ name, waiting, oldestSeconds }) => ({
        code: 'queue_old' as const,
        message: `${waiting} jobs of ${name} wait, the oldest for ${oldestSeconds} s`,
      })),
    ...failingEndpoints.map(({ merchant, url }) => ({
      code: 'endpoint_failing' as const,
      message: `the endpoint ${url} of ${merchant} accepts no events`,
    })),
  ];
  return { watchers, queues, wallets, failingEndpoints, alarms };
}
