import { LOCAL_CHAIN_ID } from './chain/client.ts';
import { localAccount } from './chain/local.ts';
import type { Config } from './platform/config.ts';
import type { Settings } from './platform/deps.ts';
import { keptSecret } from './platform/secrets.ts';

/** Where the services that the configuration leaves open are, once they run. */
export interface Places {
  readonly databaseUrl: string;
  readonly rpcUrl: string;
  /** Of the server itself; null as long as its port is not known. */
  readonly baseUrl?: string;
}

/** Fills what the operator left open: places, secrets that are generated and kept, and the local chain's well-known accounts. */
export function settle(config: Config, { databaseUrl, rpcUrl, baseUrl }: Places): Settings {
  const local = config.chainId === LOCAL_CHAIN_ID;
  return {
    ...config,
    databaseUrl,
    rpcUrl,
    baseUrl: config.baseUrl ?? baseUrl ?? `http://localhost:${config.port}`,
    jwtSecret: config.jwtSecret ?? keptSecret(config.dataDir, 'jwt'),
    keyEncryptionKey: config.keyEncryptionKey ?? keptSecret(config.dataDir, 'key-encryption'),
    cronSecret: config.cronSecret ?? keptSecret(config.dataDir, 'cron'),
    platformRecipient: config.platformRecipient ?? (local ? localAccount('platform').address : null),
    settlementPrivateKey: config.settlementPrivateKey ?? (local ? localAccount('settlement').privateKey : null),
    spenderPrivateKey: config.spenderPrivateKey ?? (local ? localAccount('spender').privateKey : null),
  };
}
