import { prepareLocalChain } from '../../base/chain/local.ts';
import { refuse } from '../../base/core/errors.ts';
import { isLocalChain } from '../../base/core/local-chains.ts';
import { COMMAND_LINE } from '../../base/core/origin.ts';
import { parseWallet, type Wallet } from '../../base/core/wallet.ts';
import { readConfig } from '../../base/platform/config/config.ts';
import type { Services } from '../../base/platform/embedded/services.ts';
import { createLog, type Logger } from '../../base/platform/log/log.ts';
import { reachDatabase } from '../../base/platform/postgres/reach-database.ts';
import { PLATFORM } from '../../base/records/audit/audit-entry.entity.ts';
import { type OpenDeps, openDeps } from '../deps.ts';
import { completeSettings } from '../settings.ts';
import { openServices } from './open-services.ts';

/** A command's dependencies and the embedded services that it uses. */
export interface CommandDeps {
  readonly deps: OpenDeps;
  readonly log: Logger;
  /** Closes the database first, then the services. */
  close(): Promise<void>;
}

/**
 * Reads the configuration, starts (or joins) the embedded services that it does not replace, and opens the
 * dependencies. A command beside a running server joins the server's services.
 *
 * @param options.brief for short commands: only errors are logged, and the local chain is not prepared
 * @param options.end ends a start that waits for the database, with `StartEnded`
 * @param options.migrates whether pending migrations are run; as `MIGRATE` says by default
 * @param options.clock the time of all that the command does; that of the machine by default
 * @param options.environment the environment of the configuration; that of this process by default
 */
export async function openCommandDeps(
  options: {
    brief?: boolean;
    migrates?: boolean;
    end?: AbortSignal;
    clock?: () => number;
    environment?: Readonly<Record<string, string | undefined>>;
  } = {},
): Promise<CommandDeps> {
  const config = readConfig(options.environment);
  const log = createLog(options.brief ? 'error' : config.logLevel, {
    readable: config.environment === 'development' && process.stderr.isTTY === true,
  });
  const awaitedBy = options.brief ? undefined : log;
  if (config.databaseUrl !== null) await reachDatabase('DATABASE_URL', config.databaseUrl, awaitedBy, options.end);
  if (config.databaseSessionUrl !== null)
    await reachDatabase('DATABASE_SESSION_URL', config.databaseSessionUrl, awaitedBy, options.end);
  const services = await openServices(config, log);
  try {
    const settings = completeSettings(config, {
      databaseUrl: config.databaseUrl ?? (services.databaseUrl as string),
      rpcUrl: config.rpcUrl ?? (services.rpcUrl as string),
      slowRpcUrl: services.slowRpcUrl,
    });
    if (isLocalChain(config.chainId) && !options.brief) {
      const chains = [settings, ...settings.furtherChains];
      await Promise.all(chains.map((chain) => giveTestTokens(chain, services, log)));
    }
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

/** A local chain that we did not start may be down or read-only; this must not prevent the start of a server. */
async function giveTestTokens(
  { rpcUrl, chainId }: { readonly rpcUrl: string; readonly chainId: number },
  services: Services,
  log: Logger,
): Promise<void> {
  try {
    await prepareLocalChain(rpcUrl, chainId);
  } catch (error) {
    if (services.rpcUrl === rpcUrl || services.slowRpcUrl === rpcUrl) throw error;
    log.warn({ chainId, error: (error as Error).message }, 'test tokens not deployed');
  }
}

/** Opens the dependencies, runs a command with them, and closes them. Only `migrate` changes the tables. */
export async function withDeps<T>(
  work: (deps: OpenDeps) => Promise<T>,
  {
    migrates = false,
    ...options
  }: Pick<NonNullable<Parameters<typeof openCommandDeps>[0]>, 'migrates' | 'environment' | 'clock'> = {},
): Promise<T> {
  const command = await openCommandDeps({ brief: true, migrates, ...options });
  try {
    return await work({ ...command.deps, origin: COMMAND_LINE });
  } finally {
    await command.close();
  }
}

/** Parses a wallet from the command line. */
export function walletOf(text: string): Wallet {
  const wallet = parseWallet(text);
  if (!wallet) throw refuse('invalid_wallet');
  return wallet;
}

/** The owner of an audit log: a merchant's wallet, or `platform`. */
export const ownerOf = (text: string): Wallet => (text === PLATFORM ? PLATFORM : walletOf(text));
