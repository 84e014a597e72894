import type { Token } from '../../chain/token.ts';
import type { Finality } from '../../core/finality.ts';
import { isLocalChain } from '../../core/local-chains.ts';
import type { Wallet } from '../../core/wallet.ts';
import { isWritable, readDataDir } from '../files/data-dir.ts';
import type { Collector } from '../otlp.ts';
import type { Pooler } from '../postgres/pooler.ts';
import { readChainSettings } from './chain-settings.ts';
import type { ChainConfig } from './chains.ts';
import { faultLine } from './fault-line.ts';
import { ConfigFaults } from './faults.ts';
import { type FxConfig, readFx } from './fx.ts';
import { type Given, readGiven } from './given.ts';
import { type OnrampConfig, readOnramp } from './onramp.ts';
import { DEFAULT_NEWCOMER_RATE_LIMITS, DEFAULT_RATE_LIMITS, type RateLimits } from './rate-limits.ts';
import { type RetentionConfig, readRetention } from './retention.ts';
import { readSettlement, type SettlementConfig } from './settlement.ts';
import type { TlsFiles } from './tls.ts';
import { readTlsFiles } from './tls-files.ts';
import { checkRoles, checkWallets } from './wallets.ts';

/**
 * The operator's configuration, parsed and validated. Secrets that may be generated are null until `completeSettings`
 * sets them.
 */
export interface Config {
  readonly environment: 'development' | 'test' | 'production';
  readonly host: string;
  readonly port: number;
  /** Null: plain HTTP. */
  readonly tls: TlsFiles | null;
  /** Null: derived from the port once the server listens. */
  readonly baseUrl: string | null;
  readonly logLevel: string;
  /** Where metrics are served. Null: nowhere. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
  /** Where traces are sent, and the share of those that begin here. Null: nowhere. */
  readonly traces: (Collector & { readonly share: number }) | null;
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  readonly databasePooler: Pooler;
  /** A replica for lists, searches, exports and statistics. Null: there is none. */
  readonly databaseReadUrl: string | null;
  /** The database without a pooler in transaction mode. Null: `databaseUrl`. */
  readonly databaseSessionUrl: string | null;
  /** Whether servers and workers run pending migrations. */
  readonly migrates: boolean;
  /** Whether tables that a newer version has migrated are accepted. */
  readonly acceptsNewerSchema: boolean;
  readonly redisUrl: string | null;
  readonly jwtSecret: string | null;
  readonly keyEncryptionKey: string | null;
  readonly cronSecret: string | null;
  readonly edgeSecret: string | null;
  /** Values that were replaced, and are accepted as well. */
  readonly previousJwtSecret: string | null;
  readonly previousKeyEncryptionKey: string | null;
  readonly previousEdgeSecret: string | null;
  readonly platformRecipient: Wallet | null;
  readonly platformAdmins: readonly Wallet[];
  /** Whether signed-in wallets may register merchants. */
  readonly signup: 'closed' | 'invite' | 'open';
  /** The number of merchants that wallets register freely within 24 hours. Null: no limit. */
  readonly signupsPerDay: number | null;
  /** The growth of the database on a UTC day, in bytes, from which newcomers store nothing more. Null: no limit. */
  readonly newcomerStoragePerDay: number | null;
  readonly brandKey: string;
  readonly partnerHosts: ReadonlyMap<string, string | null>;
  /** Null: no limits. */
  readonly rateLimits: RateLimits | null;
  /** The limits of all newcomers together. */
  readonly newcomerRateLimits: RateLimits;
  /** Whether common GraphQL requests are answered without graphql-yoga. */
  readonly graphqlFastPath: boolean;
  /** Who may open GraphiQL. */
  readonly graphiql: 'on' | 'admins' | 'off';
  /** The folder or the manifest of the documents that clients may name by their id. Null: there are none. */
  readonly trustedDocuments: string | null;
  /** The first chain, which is meant where no chain is named. */
  readonly chainId: number;
  readonly rpcUrl: string | null;
  /** Tried in this order if `rpcUrl` fails. */
  readonly rpcFallbackUrls: readonly string[];
  /** Receipts above this amount in US dollars must be confirmed by two endpoints, if there are several. */
  readonly crossCheckUsd: number;
  readonly tokens: readonly Token[];
  /** The blocks that every payment waits for. */
  readonly confirmations: number;
  /** The depth that payments need, by amount. */
  readonly finality: Finality;
  /** The chains after the first, in the order in which buyers see them. */
  readonly furtherChains: readonly ChainConfig[];
  readonly spenderPrivateKey: `0x${string}` | null;
  /** The wallet of `spenderPrivateKey`, where another process holds the key. */
  readonly spenderAddress: Wallet | null;
  /** Keys that were replaced. They charge the permissions that name their contracts. */
  readonly previousSpenderKeys: readonly `0x${string}`[];
  readonly settlementPrivateKey: `0x${string}` | null;
  /** The highest fee per unit of gas that our transactions offer. Null: no ceiling. */
  readonly maxFeeGwei: number | null;
  /** The most that a payment which the buyer has only signed may cost in gas, in US dollars; `0`: none are sent. */
  readonly gaslessMaxGasUsd: string;
  /** The number of such payments that are sent for one merchant on one chain within 24 hours. Null: no limit. */
  readonly gaslessPerDay: number | null;
  /** The same for all merchants together. */
  readonly gaslessPerDayTotal: number | null;
  readonly settlement: SettlementConfig;
  readonly spendPermissionManager: Wallet | null;
  /** A cron expression of five fields, in UTC. Null: the workers do not charge on a schedule. */
  readonly chargeSchedule: string | null;
  /** How long a receipt waits for its payment by default; 0 for ever. */
  readonly receiptTtlMs: number;
  /** For how long after the creation of a receipt its address is read for coins. */
  readonly receiptWatchDays: number;
  readonly splitVerification: 'strict' | 'lenient';
  readonly fx: FxConfig;
  /** The card provider. Null: no card checkout is offered. */
  readonly onramp: OnrampConfig | null;
  readonly webhookAllowInsecure: boolean;
  readonly retention: RetentionConfig;
}

const SECRETS = ['JWT_SECRET', 'KEY_ENCRYPTION_KEY', 'CRON_SECRET'] as const;
const SECRET_BYTES = 32;
const PORT = 4000;
const NEW_SECRET = '$(openssl rand -hex 32)';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the configuration from an environment. Throws `ConfigFaults` with all faults. An empty value counts as
 * unset.
 */
export function readConfig(environment: Environment = process.env): Config {
  const { config, faults } = examineConfig(environment);
  if (faults.length > 0) throw new ConfigFaults(faults);
  return config;
}

/**
 * Reads the configuration with all of its faults, which are those that `readConfig` throws. A value with a fault counts
 * as unset.
 */
export function examineConfig(environment: Environment): { readonly config: Config; readonly faults: string[] } {
  const faults: string[] = [];
  const given = readGiven(environment, faults);
  const production = given.NODE_ENV === 'production';
  checkSecrets(given, production, faults);
  checkPreviousSecrets(given, production, faults);
  // Without it a production server would accept test tokens as money.
  if (production && given.CHAIN_ID === undefined && given.CHAINS === undefined)
    faults.push(faultLine('CHAIN_ID', 'must be set in production'));
  const tls = readTlsFiles(given, faults);
  const dataDir = readDataDir(environment);
  if (!isWritable(dataDir)) faults.push(faultLine('DATA_DIR', `must be a writable folder, not ${dataDir}`));
  const chains = readChainSettings(given, production, faults);
  checkWallets(given, chains.chainId, faults);
  checkRoles(given, chains.chainId, faults);
  if (given.METRICS_PORT !== undefined && given.METRICS_PORT !== 0 && given.METRICS_PORT === (given.PORT ?? PORT))
    faults.push(faultLine('METRICS_PORT', `must differ from PORT, which is ${given.PORT ?? PORT}`));
  const fx = readFx(given, chains.chainId, faults);
  if (given.DATABASE_POOLER !== undefined)
    for (const name of ['DATABASE_URL', 'DATABASE_SESSION_URL'] as const)
      if (given[name] === undefined) faults.push(faultLine(name, 'must be set together with DATABASE_POOLER'));
  const chainIds = [chains.chainId, ...chains.furtherChains.map((one) => one.chainId)];
  const onramp = readOnramp(given, chainIds, faults);
  const local = isLocalChain(chains.chainId);
  const config: Config = {
    environment: given.NODE_ENV ?? 'development',
    dataDir,
    tls,
    ...serverOf(given, production),
    ...observingOf(given),
    ...databaseOf(given),
    ...secretsOf(given),
    platformRecipient: given.PLATFORM_RECIPIENT ?? null,
    platformAdmins: given.PLATFORM_ADMINS ?? [],
    signup: given.SIGNUP ?? (local && !production ? 'open' : 'closed'),
    signupsPerDay: given.SIGNUPS_PER_DAY ?? (local ? null : 100),
    newcomerStoragePerDay: storagePerDay(given.NEWCOMER_STORAGE_MB_PER_DAY ?? (local ? null : 5_000)),
    brandKey: given.BRAND_KEY ?? 'quittance',
    ...chains,
    crossCheckUsd: given.CROSS_CHECK_USD ?? 1_000,
    maxFeeGwei: given.MAX_FEE_GWEI ?? null,
    gaslessMaxGasUsd: String(given.GASLESS_MAX_GAS_USD ?? (local ? 5 : 0.25)),
    gaslessPerDay: given.GASLESS_PER_DAY ?? (local ? null : 200),
    gaslessPerDayTotal: given.GASLESS_PER_DAY_TOTAL ?? (local ? null : 2_000),
    settlement: readSettlement(given, local),
    chargeSchedule: given.CHARGE_SCHEDULE === undefined ? '0 4 * * *' : given.CHARGE_SCHEDULE,
    receiptTtlMs: given.RECEIPT_TTL ?? 7 * 86_400_000,
    receiptWatchDays: given.RECEIPT_WATCH_DAYS ?? 365,
    splitVerification: given.SPLIT_VERIFICATION ?? (production ? 'strict' : 'lenient'),
    fx,
    onramp,
    webhookAllowInsecure: given.WEBHOOK_ALLOW_INSECURE ?? !production,
    retention: readRetention(given),
  };
  return { config, faults };
}

const MB = 1_000_000;
const storagePerDay = (megabytes: number | null) => (megabytes === null ? null : megabytes * MB);

/** The secrets that can be replaced while requests arrive. */
const REPLACEABLE = [
  ['JWT_SECRET', 'JWT_SECRET_PREVIOUS'],
  ['KEY_ENCRYPTION_KEY', 'KEY_ENCRYPTION_KEY_PREVIOUS'],
  ['EDGE_SECRET', 'EDGE_SECRET_PREVIOUS'],
] as const;

/** A replaced secret stays one: it must be as long, and belong to another value. */
function checkPreviousSecrets(given: Given, production: boolean, faults: string[]): void {
  for (const [name, previous] of REPLACEABLE) {
    const value = given[previous];
    if (value === undefined) continue;
    if (given[name] === undefined) faults.push(faultLine(previous, `must be set together with ${name}`));
    else if (given[name] === value) faults.push(faultLine(previous, `must differ from ${name}`));
    else if (production && Buffer.byteLength(value) < SECRET_BYTES)
      faults.push(faultLine(previous, `must be at least ${SECRET_BYTES} bytes`, NEW_SECRET));
  }
}

/** In production every secret must be set and long enough. A deployment without an edge has no secret for it. */
function checkSecrets(given: Given, production: boolean, faults: string[]): void {
  if (!production) return;
  for (const name of [...SECRETS, 'EDGE_SECRET'] as const) {
    const value = given[name];
    if (value === undefined && name !== 'EDGE_SECRET')
      faults.push(faultLine(name, 'must be set in production', NEW_SECRET));
    else if (value !== undefined && Buffer.byteLength(value) < SECRET_BYTES)
      faults.push(faultLine(name, `must be at least ${SECRET_BYTES} bytes`, NEW_SECRET));
  }
}

/** How requests arrive, and which ones are served. */
const serverOf = (given: Given, production: boolean) => ({
  host: given.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
  port: given.PORT ?? PORT,
  baseUrl: given.BASE_URL?.replace(/\/+$/, '') ?? null,
  partnerHosts: given.PARTNER_HOSTS ?? new Map<string, string | null>(),
  newcomerRateLimits: given.NEWCOMER_RATE_LIMITS ?? DEFAULT_NEWCOMER_RATE_LIMITS,
  rateLimits: given.RATE_LIMITS === undefined ? DEFAULT_RATE_LIMITS : given.RATE_LIMITS,
  graphqlFastPath: given.GRAPHQL_FAST_PATH ?? true,
  graphiql: given.GRAPHIQL ?? (production ? 'off' : 'on'),
  trustedDocuments: given.TRUSTED_DOCUMENTS ?? null,
});

const observingOf = (given: Given) => ({
  logLevel: given.LOG_LEVEL ?? 'info',
  metrics:
    given.METRICS_PORT === undefined ? null : { host: given.METRICS_HOST ?? '127.0.0.1', port: given.METRICS_PORT },
  traces:
    given.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
      ? null
      : {
          endpoint: given.OTEL_EXPORTER_OTLP_ENDPOINT,
          headers: given.OTEL_EXPORTER_OTLP_HEADERS ?? {},
          service: given.OTEL_SERVICE_NAME ?? 'quittance',
          share: given.OTEL_TRACES_SAMPLER_ARG ?? 1,
        },
});

const databaseOf = (given: Given) => ({
  databaseUrl: given.DATABASE_URL ?? null,
  databasePooler: given.DATABASE_POOLER ?? null,
  databaseReadUrl: given.DATABASE_READ_URL ?? null,
  databaseSessionUrl: given.DATABASE_SESSION_URL ?? null,
  migrates: given.MIGRATE ?? true,
  acceptsNewerSchema: given.NEWER_SCHEMA ?? false,
  redisUrl: given.REDIS_URL ?? null,
});

const secretsOf = (given: Given) => ({
  jwtSecret: given.JWT_SECRET ?? null,
  keyEncryptionKey: given.KEY_ENCRYPTION_KEY ?? null,
  cronSecret: given.CRON_SECRET ?? null,
  edgeSecret: given.EDGE_SECRET ?? null,
  previousJwtSecret: given.JWT_SECRET_PREVIOUS ?? null,
  previousKeyEncryptionKey: given.KEY_ENCRYPTION_KEY_PREVIOUS ?? null,
  previousEdgeSecret: given.EDGE_SECRET_PREVIOUS ?? null,
  spenderPrivateKey: given.SPENDER_PRIVATE_KEY ?? null,
  spenderAddress: given.SPENDER_ADDRESS ?? null,
  previousSpenderKeys: given.SPENDER_PREVIOUS_KEYS ?? [],
  settlementPrivateKey: given.SETTLEMENT_PRIVATE_KEY ?? null,
});
