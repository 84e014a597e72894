import { LOCAL_CHAIN_ID } from '../chain/client.ts';
import { prepareLocalChain } from '../chain/local.ts';
import { type OpenDeps, openDeps } from '../deps.ts';
import { readConfig } from '../platform/config.ts';
import { type Services, startServices } from '../platform/embedded/services.ts';
import { createLog, type Logger } from '../platform/log.ts';
import { settle } from '../settings.ts';

/** What a command stands on: the domain, and the embedded services it takes part in. */
export interface Ground {
  readonly deps: OpenDeps;
  readonly log: Logger;
  /** Lets go of the database first, then of the services. */
  close(): Promise<void>;
}

/**
 * Reads the configuration, starts (or joins) the embedded services that it leaves open, and opens the domain. A command beside a running server joins
 * the server's services.
 */
export async function openGround(options: { worker?: boolean; quiet?: boolean } = {}): Promise<Ground> {
  const config = readConfig();
  const log = createLog(options.quiet ? 'error' : config.logLevel);
  const services: Services = await startServices({
    dataDir: config.dataDir,
    chainId: config.chainId,
    wantPostgres: config.databaseUrl === null,
    wantChain: config.rpcUrl === null,
    tailBlocks: config.confirmations + 4,
    log: { info: (message) => log.info(message), warn: (message) => log.warn(message) },
  });
  try {
    const settings = settle(config, {
      databaseUrl: config.databaseUrl ?? (services.databaseUrl as string),
      rpcUrl: config.rpcUrl ?? (services.rpcUrl as string),
    });
    if (config.chainId === LOCAL_CHAIN_ID && config.rpcUrl === null) await prepareLocalChain(settings.rpcUrl);
    const deps = await openDeps(settings, log, { worker: options.worker });
    return {
      deps,
      log,
      async close() {
        await deps.close();
        await services.stop();
      },
    };
  } catch (error) {
    await services.stop();
    throw error;
  }
}

/** Runs a command on the ground, and leaves it whatever comes of it. */
export async function onGround<T>(work: (deps: OpenDeps) => Promise<T>): Promise<T> {
  const ground = await openGround({ quiet: true });
  try {
    return await work(ground.deps);
  } finally {
    await ground.close();
  }
}
