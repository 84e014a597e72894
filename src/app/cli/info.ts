import { chargerAddress } from '../../base/chain/charger.ts';
import { readConfig } from '../../base/platform/config/config.ts';
import type { Settings } from '../../base/platform/deps.ts';
import { readServices } from '../../base/platform/embedded/services.ts';
import { runningBaseUrl } from '../../base/platform/running.ts';
import { completeSettings } from '../settings.ts';
import { print } from './print.ts';

/**
 * `quittance info`: prints the configuration and the services that are running. Starts nothing; an embedded service
 * that does not run is null. Passwords of the configured addresses are hidden. The address of the embedded database is
 * printed whole, because it stands nowhere else.
 */
export async function info(options: { json?: boolean }): Promise<void> {
  const config = readConfig();
  const services = await readServices(config.dataDir);
  const databaseUrl = config.databaseUrl ?? services.databaseUrl ?? null;
  const rpcUrl = config.rpcUrl ?? services.rpcUrl ?? null;
  const { slowRpcUrl } = services;
  const settings = completeSettings(config, { databaseUrl: databaseUrl ?? '', rpcUrl: rpcUrl ?? '', slowRpcUrl });
  const answer = {
    baseUrl: runningBaseUrl(settings.dataDir) ?? settings.baseUrl,
    databaseUrl: config.databaseUrl === null ? databaseUrl : withoutPassword(config.databaseUrl),
    redisUrl: settings.redisUrl === null ? null : withoutPassword(settings.redisUrl),
    chainId: settings.chainId,
    rpcUrl,
    tokens: tokensOf(settings),
    chains: [{ ...settings, rpcUrl }, ...settings.furtherChains].map((chain) => ({
      chainId: chain.chainId,
      rpcUrl: chain.rpcUrl || null,
      tokens: tokensOf(chain),
    })),
    platformRecipient: settings.platformRecipient,
    spendPermissionManager: settings.spendPermissionManager,
    spender: chargerAddress(settings),
    dataDir: settings.dataDir,
  };
  print(
    answer,
    options.json,
    Object.entries(answer).map(
      ([name, value]) => `${name.padEnd(24)}${typeof value === 'object' ? JSON.stringify(value) : value}`,
    ),
  );
}

/** The tokens of a chain, by symbol. A native coin has no address. */
const tokensOf = ({ tokens }: Pick<Settings, 'tokens'>) =>
  Object.fromEntries(tokens.map(({ symbol, address, decimals }) => [symbol, { address, decimals }]));

/** An address whose password is replaced by `***`. */
function withoutPassword(address: string): string {
  const url = new URL(address);
  if (url.password !== '') url.password = '***';
  if (url.searchParams.has('password')) url.searchParams.set('password', '***');
  return url.toString();
}
