import { privateKeyToAddress } from 'viem/accounts';
import { toWallet } from '../../chain/address.ts';
import { baseBlocks, paceOf } from '../../chain/finality.ts';
import { localAccount } from '../../chain/local-accounts.ts';
import { defaultPriceFeeds, maxAgeOfFeed, type PriceFeeds } from '../../chain/price-feeds.ts';
import { whyNoWallet } from '../../chain/public-accounts.ts';
import type { Token } from '../../chain/token.ts';
import { defaultTokens } from '../../chain/tokens.ts';
import type { Finality } from '../../core/finality.ts';
import { isLocalChain, LOCAL_CHAIN_ID } from '../../core/local-chains.ts';
import { parseRates } from '../../core/rates.ts';
import type { Wallet } from '../../core/wallet.ts';
import { isWritable, readDataDir } from '../files/data-dir.ts';
import { type ChainConfig, readChains } from './chains.ts';
import { ConfigFaults } from './faults.ts';
import { type Given, readGiven } from './given.ts';
import { type MailConfig, readMail } from './mail.ts';
import { type OnrampConfig, readOnramp } from './onramp.ts';
import { DEFAULT_NEWCOMER_RATE_LIMITS, type RateLimits, USUAL_RATE_LIMITS } from './rate-limits.ts';
import { type RetentionConfig, readRetention } from './retention.ts';
import { readTlsFiles, type TlsFiles } from './tls.ts';
import { faultLine } from './variable-fault.ts';
import { ECB_DAILY_URL } from './variables.ts';

/**
 * The mode of the pooler between this process and the database. In transaction mode, two transactions of one connection
 * may run in two sessions of the database, so nothing may depend on a session: no named statement, no session setting,
 * no notification and no lock that outlives its transaction. Null: there is none.
 */
export type Pooler = 'transaction' | null;

/** Where spans are sent. */
export interface Collector {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The name of the service. */
  readonly service: string;
}

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
  /** Null: no e-mail is sent. */
  readonly mail: MailConfig | null;
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
    mail: readMail(given, (name, problem) => faults.push(faultLine(name, problem))),
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
  rateLimits: given.RATE_LIMITS === undefined ? USUAL_RATE_LIMITS : given.RATE_LIMITS,
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

/**
 * The chains with their defaults. Variables of the first chain stand above its entry in `CHAINS`. A public chain needs
 * an endpoint. Faults are added to `faults`.
 */
function readChainSettings(given: Given, production: boolean, faults: string[]) {
  const { first, further } = readChains(given, LOCAL_CHAIN_ID, {
    production,
    fault: (problem) => faults.push(faultLine('CHAINS', problem)),
  });
  const chainId = given.CHAIN_ID ?? first?.chainId ?? LOCAL_CHAIN_ID;
  const local = isLocalChain(chainId);
  const finality = given.CONFIRMATIONS ?? first?.finality ?? paceOf(chainId).finality;
  const rpcUrl = given.RPC_URL ?? first?.rpcUrl ?? null;
  if (rpcUrl === null && (!local || given.RPC_FALLBACK_URL !== undefined)) {
    const where = local ? 'together with RPC_FALLBACK_URL' : `for chain ${chainId}`;
    faults.push(faultLine('RPC_URL', `must be set ${where}`));
  }
  return {
    chainId,
    rpcUrl,
    rpcFallbackUrls: given.RPC_FALLBACK_URL ?? first?.rpcFallbackUrls ?? [],
    tokens: given.TOKENS ?? first?.tokens ?? defaultTokens(chainId),
    confirmations: baseBlocks(finality, chainId),
    finality,
    furtherChains: further,
    spendPermissionManager: given.SPEND_PERMISSION_MANAGER ?? first?.spendPermissionManager ?? null,
  };
}

/** Where exchange rates come from. */
interface FxConfig {
  readonly source: 'static' | 'chainlink' | 'ecb';
  /** US dollars per unit, as decimal text. */
  readonly rates: ReadonlyMap<string, string>;
  readonly feeds: PriceFeeds;
  readonly ecbUrl: string;
  /** The age from which the rate of a past payment is refused. */
  readonly maxAgeMs: number;
  /** The same for a new price, by currency. A rate that its feed should have replaced is no price of today. */
  readonly maxAgeOf: (currency: string) => number;
}

/**
 * A Chainlink feed is updated at least once a day, sometimes slightly late. The ECB publishes nothing from Thursday to
 * Tuesday at Easter.
 */
const DEFAULT_MAX_AGE_S = { static: 86_400, chainlink: 90_000, ecb: 518_400 } as const;

/** The source of rates with its defaults. Chainlink needs feeds on the first chain. */
function readFx(given: Given, chainId: number, faults: string[]): FxConfig {
  const source = given.FX_SOURCE ?? 'static';
  const feeds = given.FX_FEEDS ?? defaultPriceFeeds(chainId);
  if (source === 'chainlink' && feeds.size === 0)
    faults.push(faultLine('FX_FEEDS', `must be set for chain ${chainId}`));
  const maxAgeMs = (given.FX_MAX_AGE_S ?? DEFAULT_MAX_AGE_S[source]) * 1000;
  const ageByFeed = source === 'chainlink' && given.FX_MAX_AGE_S === undefined;
  return {
    source,
    rates: given.FX_RATES ?? (isLocalChain(chainId) ? parseRates('EUR=1.0842,ETH=3100') : new Map()),
    feeds,
    ecbUrl: given.FX_ECB_URL ?? ECB_DAILY_URL,
    maxAgeMs,
    maxAgeOf: (currency) => {
      const feed = ageByFeed ? feeds.get(currency) : undefined;
      const ofFeed = feed === undefined ? null : maxAgeOfFeed(feed);
      return ofFeed === null ? maxAgeMs : ofFeed * 1000;
    },
  };
}

/** When the settlement wallet spends gas. */
export interface SettlementConfig {
  readonly sweeps: {
    /** The most that collecting or releasing may cost, in percent of what it moves. Null: no limit. */
    readonly maxCostPct: string | null;
    /** The same in coins, as decimal text, where the chain's coin has no price. Null: nothing is collected there. */
    readonly maxCost: string | null;
    /** Collections for one merchant within 24 hours. Null: no limit. */
    readonly perDay: number | null;
    /** Collections for all merchants within 24 hours. Null: no limit. */
    readonly perDayTotal: number | null;
  };
  /** Splits deployed for one merchant within 24 hours. Null: no limit. */
  readonly deploymentsPerDay: number | null;
  /** Splits deployed for all merchants within 24 hours. Null: no limit. */
  readonly deploymentsPerDayTotal: number | null;
  /** Releases that one merchant may ask for within 24 hours. Null: no limit. */
  readonly requestsPerDay: number | null;
  /** Releases that all merchants may ask for within 24 hours. Null: no limit. */
  readonly requestsPerDayTotal: number | null;
  /** Whether a split is deployed only when it is needed on the chain, and not when it is configured. */
  readonly deployOnDemand: boolean;
}

/** When gas is spent, with the defaults. `local`: whether the first chain is the local one, where gas costs nothing. */
const readSettlement = (given: Given, local: boolean): SettlementConfig => ({
  sweeps: {
    maxCostPct: given.SWEEP_MAX_COST_PCT === undefined ? (local ? null : '0.25') : String(given.SWEEP_MAX_COST_PCT),
    maxCost: given.SWEEP_MAX_COST === undefined ? null : String(given.SWEEP_MAX_COST),
    perDay: given.SWEEPS_PER_DAY ?? (local ? null : 500),
    perDayTotal: given.SWEEPS_PER_DAY_TOTAL ?? (local ? null : 5_000),
  },
  deploymentsPerDay: given.SPLIT_DEPLOYMENTS_PER_DAY ?? (local ? null : 5),
  deploymentsPerDayTotal: given.SPLIT_DEPLOYMENTS_PER_DAY_TOTAL ?? (local ? null : 50),
  requestsPerDay: given.RELEASE_REQUESTS_PER_DAY ?? (local ? null : 20),
  requestsPerDayTotal: given.RELEASE_REQUESTS_PER_DAY_TOTAL ?? (local ? null : 200),
  deployOnDemand: !local,
});

/**
 * Adds a fault if one wallet has two roles, or the spender two wallets. Each role assigns the nonces of its wallet
 * separately: with one wallet, both would assign the same nonce.
 */
function checkRoles(given: Given, chainId: number, faults: string[]): void {
  const local = isLocalChain(chainId);
  const settles = (
    given.SETTLEMENT_PRIVATE_KEY ?? (local ? localAccount('settlement').privateKey : null)
  )?.toLowerCase();
  const spends = (given.SPENDER_PRIVATE_KEY ?? (local ? localAccount('spender').privateKey : null))?.toLowerCase();
  if (settles !== undefined && settles === spends)
    faults.push(faultLine('SETTLEMENT_PRIVATE_KEY', 'must belong to a different wallet than SPENDER_PRIVATE_KEY'));
  if (given.SPENDER_ADDRESS !== undefined && given.SPENDER_PRIVATE_KEY !== undefined) {
    const address = toWallet(privateKeyToAddress(given.SPENDER_PRIVATE_KEY));
    if (given.SPENDER_ADDRESS !== address)
      faults.push(faultLine('SPENDER_ADDRESS', 'must be the wallet of SPENDER_PRIVATE_KEY', address));
  }
  const previous = (given.SPENDER_PREVIOUS_KEYS ?? []).map((key) => key.toLowerCase());
  if (previous.some((key) => key === settles || key === spends))
    faults.push(faultLine('SPENDER_PREVIOUS_KEYS', 'must not repeat SPENDER_PRIVATE_KEY or SETTLEMENT_PRIVATE_KEY'));
}

/** Adds a fault for each wallet or key that somebody else holds, or no one, where it is used on a public chain. */
function checkWallets(given: Given, chainId: number, faults: string[]): void {
  if (isLocalChain(chainId)) return;
  const ofKeys = (...keys: readonly (`0x${string}` | undefined)[]): Wallet[] =>
    keys.filter((key) => key !== undefined).map((key) => toWallet(privateKeyToAddress(key)));
  const wallets = {
    PLATFORM_RECIPIENT: given.PLATFORM_RECIPIENT === undefined ? [] : [given.PLATFORM_RECIPIENT],
    PLATFORM_ADMINS: given.PLATFORM_ADMINS ?? [],
    SPENDER_PRIVATE_KEY: ofKeys(given.SPENDER_PRIVATE_KEY),
    SPENDER_ADDRESS: given.SPENDER_ADDRESS === undefined ? [] : [given.SPENDER_ADDRESS],
    SPENDER_PREVIOUS_KEYS: ofKeys(...(given.SPENDER_PREVIOUS_KEYS ?? [])),
    SETTLEMENT_PRIVATE_KEY: ofKeys(given.SETTLEMENT_PRIVATE_KEY),
  } as const;
  for (const [name, used] of Object.entries(wallets) as [keyof typeof wallets, readonly Wallet[]][]) {
    const why = used.map(whyNoWallet).find((problem) => problem !== null);
    if (why) faults.push(faultLine(name, why));
  }
}
