import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { LOCAL_CHAIN_ID } from '../chain/client.ts';
import { defaultPriceFeeds, type PriceFeeds } from '../chain/price-feeds.ts';
import { defaultTokens, type Token } from '../chain/tokens.ts';
import { parseRates } from '../core/rates.ts';
import type { Wallet } from '../core/wallet.ts';
import { ConfigFaults } from './config-faults.ts';
import { type OnrampConfig, readOnramp } from './config-onramp.ts';
import { DEFAULT_RATE_LIMITS, ECB_DAILY_URL, type RateLimits, variables } from './config-variables.ts';
import { readDataDir } from './data-dir.ts';
import { readTls, type TlsFiles } from './tls.ts';

type Variables = { -readonly [K in keyof typeof variables]: z.output<(typeof variables)[K]['read']> | undefined };

/** What the operator decided, typed and whole. Secrets that may be generated are null until the composition root fills them. */
export interface Config {
  readonly environment: 'development' | 'test' | 'production';
  readonly host: string;
  readonly port: number;
  /** Null: plain HTTP. */
  readonly tls: TlsFiles | null;
  /** Null: made from the port once the server listens. */
  readonly baseUrl: string | null;
  readonly logLevel: string;
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  readonly redisUrl: string | null;
  readonly jwtSecret: string | null;
  readonly keyEncryptionKey: string | null;
  readonly cronSecret: string | null;
  readonly edgeSecret: string | null;
  readonly platformRecipient: Wallet | null;
  readonly platformAdmins: readonly Wallet[];
  readonly brandKey: string;
  readonly partnerHosts: ReadonlyMap<string, string | null>;
  /** Null: no limits. */
  readonly rateLimits: RateLimits | null;
  readonly chainId: number;
  readonly rpcUrl: string | null;
  /** Asked in this order where `rpcUrl` fails. */
  readonly rpcFallbackUrls: readonly string[];
  /** Receipts above this many US dollars need the word of two endpoints, where there are several. */
  readonly crossCheckUsd: number;
  readonly tokens: readonly Token[];
  readonly confirmations: number;
  readonly spenderPrivateKey: `0x${string}` | null;
  readonly settlementPrivateKey: `0x${string}` | null;
  readonly spendPermissionManager: Wallet | null;
  /** Five fields of cron, in UTC; null: the workers charge nothing by themselves. */
  readonly chargeSchedule: string | null;
  readonly splitVerification: 'strict' | 'lenient';
  readonly fx: {
    readonly source: 'static' | 'chainlink' | 'ecb';
    /** US dollars per unit, as decimal text. */
    readonly rates: ReadonlyMap<string, string>;
    readonly feeds: PriceFeeds;
    readonly ecbUrl: string;
    readonly maxAgeMs: number;
  };
  /** Who charges cards; null: no card checkout is offered. */
  readonly onramp: OnrampConfig | null;
  readonly webhookAllowInsecure: boolean;
}

/** One fault as a line: the variable, what is wrong with its value, and one that would do. */
const faultLine = (name: keyof typeof variables, problem: string, example: string = variables[name].example): string =>
  `${name}: ${problem} (for example ${name}=${example})`;

/** What stops a start for one variable, found out only when its value was used. */
export const configFault = (...fault: Parameters<typeof faultLine>): ConfigFaults =>
  new ConfigFaults([faultLine(...fault)]);

/**
 * A feed of Chainlink's speaks at least once a day, a little late at times; the ECB rests from Thursday to Tuesday at Easter.
 */
const DEFAULT_MAX_AGE_S = { static: 86_400, chainlink: 90_000, ecb: 518_400 } as const;

const SECRETS = ['JWT_SECRET', 'KEY_ENCRYPTION_KEY', 'CRON_SECRET'] as const;
const SECRET_BYTES = 32;
const NEW_SECRET = '$(openssl rand -hex 32)';

/** Reads the configuration from an environment; throws `ConfigFaults` with every fault at once. An empty value counts as unset. */
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
  // A shop that forgot it would take test tokens for money.
  if (production && given.CHAIN_ID === undefined) faults.push(faultLine('CHAIN_ID', 'must be set in production'));
  const tls = readTlsFiles(given, faults);
  const dataDir = readDataDir(environment);
  if (!canHoldData(dataDir)) faults.push(faultLine('DATA_DIR', `must be a folder that can be written, not ${dataDir}`));
  const chainId = given.CHAIN_ID ?? LOCAL_CHAIN_ID;
  const local = chainId === LOCAL_CHAIN_ID;
  if (given.RPC_URL === undefined && (!local || given.RPC_FALLBACK_URL !== undefined)) {
    const where = local ? 'beside RPC_FALLBACK_URL' : `for chain ${chainId}`;
    faults.push(faultLine('RPC_URL', `must be set ${where}`));
  }
  const fxSource = given.FX_SOURCE ?? 'static';
  const feeds = given.FX_FEEDS ?? defaultPriceFeeds(chainId);
  if (fxSource === 'chainlink' && feeds.size === 0)
    faults.push(faultLine('FX_FEEDS', `must be set for chain ${chainId}`));
  const onramp = readOnramp(given, chainId, faults);
  if (faults.length > 0) throw new ConfigFaults(faults);

  return {
    environment: given.NODE_ENV ?? 'development',
    host: given.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    port: given.PORT ?? 4000,
    tls,
    baseUrl: given.BASE_URL?.replace(/\/+$/, '') ?? null,
    logLevel: given.LOG_LEVEL ?? 'info',
    dataDir,
    databaseUrl: given.DATABASE_URL ?? null,
    redisUrl: given.REDIS_URL ?? null,
    jwtSecret: given.JWT_SECRET ?? null,
    keyEncryptionKey: given.KEY_ENCRYPTION_KEY ?? null,
    cronSecret: given.CRON_SECRET ?? null,
    edgeSecret: given.EDGE_SECRET ?? null,
    platformRecipient: given.PLATFORM_RECIPIENT ?? null,
    platformAdmins: given.PLATFORM_ADMINS ?? [],
    brandKey: given.BRAND_KEY ?? 'quittance',
    partnerHosts: given.PARTNER_HOSTS ?? new Map(),
    rateLimits: given.RATE_LIMITS === undefined ? DEFAULT_RATE_LIMITS : given.RATE_LIMITS,
    chainId,
    rpcUrl: given.RPC_URL ?? null,
    rpcFallbackUrls: given.RPC_FALLBACK_URL ?? [],
    crossCheckUsd: given.CROSS_CHECK_USD ?? 1_000,
    tokens: given.TOKENS ?? defaultTokens(chainId),
    confirmations: given.CONFIRMATIONS ?? (local ? 2 : 12),
    spenderPrivateKey: given.SPENDER_PRIVATE_KEY ?? null,
    settlementPrivateKey: given.SETTLEMENT_PRIVATE_KEY ?? null,
    spendPermissionManager: given.SPEND_PERMISSION_MANAGER ?? null,
    chargeSchedule: given.CHARGE_SCHEDULE === undefined ? '0 4 * * *' : given.CHARGE_SCHEDULE,
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
  };
}

/** Whether a folder can be written, or made where it is not there yet. */
function canHoldData(folder: string): boolean {
  if (!existsSync(folder)) return canHoldData(dirname(folder));
  try {
    accessSync(folder, constants.W_OK);
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}

/** Both files or none; that they belong together is found out here, not when the first caller comes. */
function readTlsFiles(
  { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile }: Variables,
  faults: string[],
): TlsFiles | null {
  if (certFile === undefined && keyFile === undefined) return null;
  const missing = certFile === undefined ? 'TLS_CERT_FILE' : keyFile === undefined ? 'TLS_KEY_FILE' : null;
  if (missing) faults.push(faultLine(missing, 'must be set beside the other'));
  if (certFile === undefined || keyFile === undefined) return null;
  try {
    readTls({ certFile, keyFile });
  } catch (error) {
    const { message } = error as Error;
    faults.push(faultLine('TLS_KEY_FILE', `must be the key of TLS_CERT_FILE, ${message}`));
  }
  return { certFile, keyFile };
}
