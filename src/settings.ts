import { LOCAL_CHAIN_ID } from './chain/client.ts';
import { localAccount } from './chain/local.ts';
import { defaultSpendPermissionManager } from './chain/spend-permissions.ts';
import { type Config, configFault } from './platform/config.ts';
import type { Settings } from './platform/deps.ts';
import { keptSecret } from './platform/secrets.ts';

/** Where the services that the configuration leaves open are, once they run. */
export interface Places {
  readonly databaseUrl: string;
  readonly rpcUrl: string;
}

/**
 * Fills what the operator left open: places, secrets that are generated and kept, and the local chain's well-known accounts. Throws `ConfigFaults` where
 * one wallet is to settle and to charge.
 */
export function completeSettings(config: Config, { databaseUrl, rpcUrl }: Places): Settings {
  const local = config.chainId === LOCAL_CHAIN_ID;
  const settlementPrivateKey = config.settlementPrivateKey ?? (local ? localAccount('settlement').privateKey : null);
  const spenderPrivateKey = config.spenderPrivateKey ?? (local ? localAccount('spender').privateKey : null);
  // Each gives out the nonces of its wallet by itself: of one wallet, both would give the same.
  if (settlementPrivateKey !== null && settlementPrivateKey.toLowerCase() === spenderPrivateKey?.toLowerCase())
    throw configFault('SETTLEMENT_PRIVATE_KEY', 'must be of another wallet than SPENDER_PRIVATE_KEY');
  return {
    ...config,
    databaseUrl,
    rpcUrl,
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

/** Where a browser on this machine reaches a server with these settings. */
const addressOnThisMachine = ({ tls, port }: Pick<Config, 'tls' | 'port'>): string =>
  `${tls ? 'https' : 'http'}://localhost:${port}`;

/** Port 0 is a port only once the server listens: where nobody said what the public address is, it is made then. */
export function completePort(settings: Settings, port: number): void {
  if (settings.baseUrl !== addressOnThisMachine(settings)) return;
  const open: { -readonly [Name in keyof Settings]: Settings[Name] } = settings;
  open.baseUrl = addressOnThisMachine({ tls: settings.tls, port });
}
