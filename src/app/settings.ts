import { localAccount } from '../base/chain/local-accounts.ts';
import { defaultSpendPermissionManager } from '../base/chain/spend-permissions.ts';
import { isLocalChain } from '../base/core/local-chains.ts';
import type { Config } from '../base/platform/config/config.ts';
import type { Settings } from '../base/platform/deps.ts';
import { keptSecret } from '../base/platform/secrets.ts';

/** The addresses of the running services: configured, or started by this process. */
export interface Places {
  readonly databaseUrl: string;
  readonly rpcUrl: string;
  /** The embedded second local chain, if it runs. */
  readonly slowRpcUrl?: string | undefined;
}

/**
 * Completes the configuration: addresses, secrets that are generated and stored, and the local chain's well-known
 * accounts.
 */
export function completeSettings(config: Config, { databaseUrl, rpcUrl, slowRpcUrl = '' }: Places): Settings {
  const local = isLocalChain(config.chainId);
  const settlementPrivateKey = config.settlementPrivateKey ?? (local ? localAccount('settlement').privateKey : null);
  const { spenderAddress } = config;
  const spenderPrivateKey =
    config.spenderPrivateKey ?? (local && spenderAddress === null ? localAccount('spender').privateKey : null);
  return {
    ...config,
    databaseUrl,
    databaseSessionUrl: config.databaseSessionUrl ?? databaseUrl,
    rpcUrl,
    furtherChains: config.furtherChains.map((chain) => ({ ...chain, rpcUrl: chain.rpcUrl ?? slowRpcUrl })),
    baseUrl: config.baseUrl ?? addressOnThisMachine(config),
    jwtSecret: config.jwtSecret ?? keptSecret(config.dataDir, 'jwt'),
    keyEncryptionKey: config.keyEncryptionKey ?? keptSecret(config.dataDir, 'key-encryption'),
    cronSecret: config.cronSecret ?? keptSecret(config.dataDir, 'cron'),
    platformRecipient: config.platformRecipient ?? (local ? localAccount('platform').address : null),
    settlementPrivateKey,
    spendPermissionManager: config.spendPermissionManager ?? defaultSpendPermissionManager(config.chainId),
    spenderPrivateKey,
  };
}

/** The URL at which a browser on this machine reaches a server with these settings. */
const addressOnThisMachine = ({ tls, port }: Pick<Config, 'tls' | 'port'>): string =>
  `${tls ? 'https' : 'http'}://localhost:${port}`;

/** Sets the public address once the server listens, if it is not configured. Port 0 becomes a real port only then. */
export function completePort(settings: Settings, port: number): void {
  if (settings.baseUrl !== addressOnThisMachine(settings)) return;
  const open: { -readonly [Name in keyof Settings]: Settings[Name] } = settings;
  open.baseUrl = addressOnThisMachine({ tls: settings.tls, port });
}
