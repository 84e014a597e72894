import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { baseBlocks, paceOf } from '../../chain/finality.ts';
import { defaultPriceFeeds, type PriceFeeds } from '../../chain/price-feeds.ts';
import type { Token } from '../../chain/token.ts';
import { defaultTokens } from '../../chain/tokens.ts';
import type { Finality } from '../../core/finality.ts';
import { isLocalChain, LOCAL_CHAIN_ID } from '../../core/local-chains.ts';
import { parseRates } from '../../core/rates.ts';
import type { Wallet } from '../../core/wallet.ts';
import type { Collector } from '../otlp.ts';
import type { Pooler } from '../postgres/pooler.ts';
import { readTls, type TlsFiles } from '../tls.ts';
import { type ChainConfig, readChains } from './chains.ts';
import { readDataDir } from './data-dir.ts';
import { ConfigFaults } from './faults.ts';
import { type OnrampConfig, readOnramp } from './onramp.ts';
import { DEFAULT_RATE_LIMITS, type RateLimits } from './rate-limits.ts';
import { type RetentionConfig, readRetention } from './retention.ts';
import { ECB_DAILY_URL, variables } from './variables.ts';

type Variables = { -readonly [K in keyof typeof variables]: z.output<(typeof variables)[K]['read']> | undefined };

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
  readonly platformRecipient: Wallet | null;
  readonly platformAdmins: readonly Wallet[];
  /** Whether signed-in wallets may register merchants. */
  readonly signup: 'closed' | 'invite' | 'open';
  readonly brandKey: string;
  readonly partnerHosts: ReadonlyMap<string, string | null>;
  /** Null: no limits. */
  readonly rateLimits: RateLimits | null;
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
  /** Keys that were replaced. They charge the permissions that name their contracts. */
  readonly previousSpenderKeys: readonly `0x${string}`[];
  readonly settlementPrivateKey: `0x${string}` | null;
  /** The highest fee per unit of gas that our transactions offer. Null: no ceiling. */
  readonly maxFeeGwei: number | null;
  /** The most that a payment which the buyer has only signed may cost in gas, in US dollars; `0`: none are sent. */
  readonly gaslessMaxGasUsd: string;
  /** The number of such payments that are sent for one merchant on one chain within 24 hours. Null: no limit. */
  readonly gaslessPerDay: number | null;
  readonly settlement: SettlementConfig;
  readonly spendPermissionManager: Wallet | null;
  /** A cron expression of five fields, in UTC. Null: the workers do not charge on a schedule. */
  readonly chargeSchedule: string | null;
  /** How long a receipt waits for its payment by default; 0 for ever. */
  readonly receiptTtlMs: number;
  readonly splitVerification: 'strict' | 'lenient';
  readonly fx: {
    readonly source: 'static' | 'chainlink' | 'ecb';
    /** US dollars per unit, as decimal text. */
    readonly rates: ReadonlyMap<string, string>;
    readonly feeds: PriceFeeds;
    readonly ecbUrl: string;
    readonly maxAgeMs: number;
  };
  /** The card provider. Null: no card checkout is offered. */
  readonly onramp: OnrampConfig | null;
  readonly webhookAllowInsecure: boolean;
  readonly retention: RetentionConfig;
}

/** When the settlement wallet spends gas. */
export interface SettlementConfig {
  /** The shares of a split in one token are released once their sum reaches this; 0: each share at once. */
  readonly minCents: number;
  /** The shares are also released once the oldest has waited this long. */
  readonly maxAgeMs: number;
  /** Splits deployed for one merchant within 24 hours. Null: no limit. */
  readonly deploymentsPerDay: number | null;
  /** Releases that one merchant may ask for within 24 hours. Null: no limit. */
  readonly requestsPerDay: number | null;
  /** Whether a split is deployed only when it is needed on the chain, and not when it is configured. */
  readonly deployOnDemand: boolean;
}

/** Formats a fault as one line: the variable, the problem with its value, and a valid example. */
const faultLine = (name: keyof typeof variables, problem: string, example: string = variables[name].example): string =>
  `${name}: ${problem} (for example ${name}=${example})`;

/** The error for one variable whose fault is found only when its value is used. */
export const configFault = (...fault: Parameters<typeof faultLine>): ConfigFaults =>
  new ConfigFaults([faultLine(...fault)]);

/**
 * A Chainlink feed is updated at least once a day, sometimes slightly late. The ECB publishes nothing from Thursday to
 * Tuesday at Easter.
 */
const DEFAULT_MAX_AGE_S = { static: 86_400, chainlink: 90_000, ecb: 518_400 } as const;

const SECRETS = ['JWT_SECRET', 'KEY_ENCRYPTION_KEY', 'CRON_SECRET'] as const;
const SECRET_BYTES = 32;
const NEW_SECRET = '$(openssl rand -hex 32)';

/**
 * Reads the configuration from an environment. Throws `ConfigFaults` with all faults. An empty value counts as
 * unset.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const faults: string[] = [];
  const given = {} as Variables;
  for (const [name, { read }] of Object.entries(variables) as [keyof typeof variables, { read: unknown }][]) {
    const raw = environment[name];
    if (raw === undefined || raw === '') continue;
    const parsed = (read as z.ZodType).safeParse(raw);
    if (parsed.success) Object.assign(given, { [name]: parsed.data });
    else faults.push(faultLine(name, parsed.error.issues[0]?.message ?? 'is not valid'));
  }

  const production = given.NODE_ENV === 'production';
  for (const name of [...SECRETS, 'EDGE_SECRET'] as const) {
    const value = given[name];
    const needed = production && name !== 'EDGE_SECRET';
    if (value === undefined && needed) faults.push(faultLine(name, 'must be set in production', NEW_SECRET));
    else if (value !== undefined && production && Buffer.byteLength(value) < SECRET_BYTES)
      faults.push(faultLine(name, `must be at least ${SECRET_BYTES} bytes`, NEW_SECRET));
  }
  // Without it a production server would accept test tokens as money.
  if (production && given.CHAIN_ID === undefined && given.CHAINS === undefined)
    faults.push(faultLine('CHAIN_ID', 'must be set in production'));
  const tls = readTlsFiles(given, faults);
  const dataDir = readDataDir(environment);
  if (!isWritable(dataDir)) faults.push(faultLine('DATA_DIR', `must be a writable folder, not ${dataDir}`));
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
  const fxSource = given.FX_SOURCE ?? 'static';
  const feeds = given.FX_FEEDS ?? defaultPriceFeeds(chainId);
  if (fxSource === 'chainlink' && feeds.size === 0)
    faults.push(faultLine('FX_FEEDS', `must be set for chain ${chainId}`));
  if (given.DATABASE_POOLER !== undefined)
    for (const name of ['DATABASE_URL', 'DATABASE_SESSION_URL'] as const)
      if (given[name] === undefined) faults.push(faultLine(name, 'must be set together with DATABASE_POOLER'));
  const onramp = readOnramp(given, [chainId, ...further.map((one) => one.chainId)], faults);
  if (faults.length > 0) throw new ConfigFaults(faults);

  return {
    environment: given.NODE_ENV ?? 'development',
    host: given.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    port: given.PORT ?? 4000,
    tls,
    baseUrl: given.BASE_URL?.replace(/\/+$/, '') ?? null,
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
    dataDir,
    databaseUrl: given.DATABASE_URL ?? null,
    databasePooler: given.DATABASE_POOLER ?? null,
    databaseReadUrl: given.DATABASE_READ_URL ?? null,
    databaseSessionUrl: given.DATABASE_SESSION_URL ?? null,
    migrates: given.MIGRATE ?? true,
    acceptsNewerSchema: given.NEWER_SCHEMA ?? false,
    redisUrl: given.REDIS_URL ?? null,
    jwtSecret: given.JWT_SECRET ?? null,
    keyEncryptionKey: given.KEY_ENCRYPTION_KEY ?? null,
    cronSecret: given.CRON_SECRET ?? null,
    edgeSecret: given.EDGE_SECRET ?? null,
    platformRecipient: given.PLATFORM_RECIPIENT ?? null,
    platformAdmins: given.PLATFORM_ADMINS ?? [],
    signup: given.SIGNUP ?? (local && !production ? 'open' : 'closed'),
    brandKey: given.BRAND_KEY ?? 'quittance',
    partnerHosts: given.PARTNER_HOSTS ?? new Map(),
    graphqlFastPath: given.GRAPHQL_FAST_PATH ?? true,
    graphiql: given.GRAPHIQL ?? (production ? 'off' : 'on'),
    trustedDocuments: given.TRUSTED_DOCUMENTS ?? null,
    rateLimits: given.RATE_LIMITS === undefined ? DEFAULT_RATE_LIMITS : given.RATE_LIMITS,
    chainId,
    rpcUrl,
    rpcFallbackUrls: given.RPC_FALLBACK_URL ?? first?.rpcFallbackUrls ?? [],
    crossCheckUsd: given.CROSS_CHECK_USD ?? 1_000,
    tokens: given.TOKENS ?? first?.tokens ?? defaultTokens(chainId),
    confirmations: baseBlocks(finality, chainId),
    finality,
    furtherChains: further,
    spenderPrivateKey: given.SPENDER_PRIVATE_KEY ?? null,
    previousSpenderKeys: given.SPENDER_PREVIOUS_KEYS ?? [],
    settlementPrivateKey: given.SETTLEMENT_PRIVATE_KEY ?? null,
    maxFeeGwei: given.MAX_FEE_GWEI ?? null,
    gaslessMaxGasUsd: String(given.GASLESS_MAX_GAS_USD ?? (local ? 5 : 0.25)),
    gaslessPerDay: given.GASLESS_PER_DAY ?? (local ? null : 200),
    settlement: {
      minCents: Math.round((given.SETTLEMENT_MIN_USD ?? (local ? 0 : 25)) * 100),
      maxAgeMs: (given.SETTLEMENT_MAX_AGE_H ?? 168) * 3_600_000,
      deploymentsPerDay: given.SPLIT_DEPLOYMENTS_PER_DAY ?? (local ? null : 5),
      requestsPerDay: given.RELEASE_REQUESTS_PER_DAY ?? (local ? null : 20),
      deployOnDemand: !local,
    },
    spendPermissionManager: given.SPEND_PERMISSION_MANAGER ?? first?.spendPermissionManager ?? null,
    chargeSchedule: given.CHARGE_SCHEDULE === undefined ? '0 4 * * *' : given.CHARGE_SCHEDULE,
    receiptTtlMs: given.RECEIPT_TTL ?? 7 * 86_400_000,
    splitVerification: given.SPLIT_VERIFICATION ?? (production ? 'strict' : 'lenient'),
    fx: {
      source: fxSource,
      rates: given.FX_RATES ?? (local ? parseRates('EUR=1.0842,ETH=3100') : new Map()),
      feeds,
      ecbUrl: given.FX_ECB_URL ?? ECB_DAILY_URL,
      maxAgeMs: (given.FX_MAX_AGE_S ?? DEFAULT_MAX_AGE_S[fxSource]) * 1000,
    },
    onramp,
    webhookAllowInsecure: given.WEBHOOK_ALLOW_INSECURE ?? !production,
    retention: readRetention(given),
  };
}

/** Whether a folder is writable, or can be created. */
function isWritable(folder: string): boolean {
  if (!existsSync(folder)) return isWritable(dirname(folder));
  try {
    accessSync(folder, constants.W_OK);
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}

/** Reads both file names or none. A pair that does not match is a fault at startup, not at the first connection. */
function readTlsFiles(
  { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile }: Variables,
  faults: string[],
): TlsFiles | null {
  if (certFile === undefined && keyFile === undefined) return null;
  const missing = certFile === undefined ? 'TLS_CERT_FILE' : keyFile === undefined ? 'TLS_KEY_FILE' : null;
  if (missing) faults.push(faultLine(missing, 'must be set together with the other'));
  if (certFile === undefined || keyFile === undefined) return null;
  try {
    readTls({ certFile, keyFile });
  } catch (error) {
    const { message } = error as Error;
    faults.push(faultLine('TLS_KEY_FILE', `must be the key of TLS_CERT_FILE, ${message}`));
  }
  return { certFile, keyFile };
}
