import { LOCAL_CHAIN_ID } from '../chain/client.ts';
import { prepareLocalChain } from '../chain/local.ts';
import { type OpenDeps, openDeps } from '../deps.ts';
import { readConfig } from '../platform/config.ts';
import type { Services } from '../platform/embedded/services.ts';
import { createLog, type Logger } from '../platform/log.ts';
import { reachDatabase } from '../platform/reach-database.ts';
import { completeSettings } from '../settings.ts';
import { openServices } from './open-services.ts';

/** What a command stands on: the domain, and the embedded services it takes part in. */
export interface CommandDeps {
  readonly deps: OpenDeps;
  readonly log: Logger;
  /** Lets go of the database first, then of the services. */
  close(): Promise<void>;
}

/**
 * Reads the configuration, starts (or joins) the embedded services that it leaves open, and opens the domain. A command beside a running server joins
 * the server's services.
 *
 * @param options.brief for a command that is soon over: only faults are logged, and the local chain is taken as it is
 */
export async function openCommandDeps(options: { worker?: boolean; brief?: boolean } = {}): Promise<CommandDeps> {
  const config = readConfig();
  const log = createLog(options.brief ? 'error' : config.logLevel);
  if (config.databaseUrl !== null) await reachDatabase(config.databaseUrl);
  const services = await openServices(config, log);
  try {
    const settings = completeSettings(config, {
      databaseUrl: config.databaseUrl ?? (services.databaseUrl as string),
      rpcUrl: config.rpcUrl ?? (services.rpcUrl as string),
    });
    if (config.chainId === LOCAL_CHAIN_ID && !options.brief) await giveTestTokens(settings.rpcUrl, services, log);
    const deps = await openDeps(settings, log, options);
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

/** A local chain of somebody else's may not be up yet, or not be ours to write to: that must not stop a server. */
async function giveTestTokens(rpcUrl: string, services: Services, log: Logger): Promise<void> {
  try {
    await prepareLocalChain(rpcUrl);
  } catch (error) {
    if (services.rpcUrl) throw error;
    log.warn({ error: (error as Error).message }, 'the test tokens could not be deployed');
  }
}

/** Runs a command on the ground, and leaves it whatever comes of it. */
export async function withDeps<T>(work: (deps: OpenDeps) => Promise<T>): Promise<T> {
  const ground = await openCommandDeps({ brief: true });
  try {
    return await work(ground.deps);
  } finally {
    await ground.close();
  }
}
