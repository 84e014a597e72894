import type { Deps } from '../../../base/platform/deps.ts';
import type { QueueAge } from '../../../base/platform/jobs.ts';
import { type FailingEndpoint, listFailingEndpoints } from '../../webhooks/endpoints/read.ts';
import { type Alarm, dependencyAlarms } from './alarms.ts';
import { type GasWallet, readGasWallets, readWatcherProgress, type WatcherProgress } from './progress.ts';
import { readQueueAges, type WatchedQueue } from './queues.ts';

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
  deps: Pick<Deps, 'sql' | 'bus' | 'chain' | 'chains' | 'settings' | 'clock' | 'rates' | 'log' | 'journal'>,
): Promise<PlatformState> {
  const [watchers, queues, wallets, failingEndpoints, known] = await Promise.all([
    Promise.all(deps.chains.map((chain) => readWatcherProgress({ ...deps, chain }))),
    readQueueAges(deps),
    readGasWallets(deps),
    listFailingEndpoints(deps),
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
