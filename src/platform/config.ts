import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { LOCAL_CHAIN_ID } from '../chain/client.ts';
import { defaultPriceFeeds, type PriceFeeds, parsePriceFeeds } from '../chain/price-feeds.ts';
import { defaultTokens, parseTokens, type Token } from '../chain/tokens.ts';
import { parseRates } from '../core/rates.ts';
import { parseWallet, type Wallet } from '../core/wallet.ts';

/** The project's folder; a relative `DATA_DIR` starts here, from wherever the command was called. */
export const projectDir = fileURLToPath(new URL('../..', import.meta.url));

/** Where the European Central Bank publishes its reference rates, once each working day. */
const ECB_DAILY_URL = 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml';

/** One environment variable: how it is read, what it means, and a value that would do. The README's table is made from these. */
interface Variable<T = unknown> {
  readonly read: z.ZodType<T>;
  readonly doc: string;
  readonly example: string;
  /** What holds where it is not set, in words. */
  readonly unset: string;
}

const variable = <T>(read: z.ZodType<T>, unset: string, example: string, doc: string): Variable<T> => ({
  read,
  doc,
  example,
  unset,
});

const text = z.string().trim().min(1, 'must not be empty');
const integer = (least: number, most: number) =>
  z.string().transform((raw, context) => {
    const value = Number(raw);
    if (/^\d+$/.test(raw) && value >= least && value <= most) return value;
    context.addIssue({ code: 'custom', message: `must be a whole number from ${least} to ${most}` });
    return z.NEVER;
  });
const flag = z
  .enum(['1', '0', 'true', 'false'], 'must be 1, 0, true or false')
  .transform((raw) => raw === '1' || raw === 'true');
const url = (...protocols: string[]) =>
  text.refine((raw) => URL.canParse(raw) && protocols.includes(new URL(raw).protocol), {
    error: `must be a ${protocols.join(' or ')}// URL`,
  });
const wallet = text.transform((raw, context) => {
  const parsed = parseWallet(raw);
  if (parsed) return parsed;
  context.addIssue({ code: 'custom', message: 'must be 0x followed by 40 hex characters' });
  return z.NEVER;
});
const privateKey = text.regex(
  /^0x[0-9a-fA-F]{64}$/,
  'must be 0x followed by 64 hex characters',
) as unknown as z.ZodType<`0x${string}`>;
const read = <T>(parse: (raw: string) => T) =>
  text.transform((raw, context) => {
    try {
      return parse(raw);
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
      return z.NEVER;
    }
  });

/** The rate-limit categories, in requests per rolling minute and merchant. */
export const DEFAULT_RATE_LIMITS = {
  inventoryWrites: 60,
  inventoryDeletes: 30,
  orders: 100,
  reads: 300,
  split: 10,
  others: 120,
} as const;
export type RateCategory = keyof typeof DEFAULT_RATE_LIMITS;
export type RateLimits = Readonly<Record<RateCategory, number>>;

function parseRateLimits(raw: string): RateLimits | null {
  if (raw === 'off') return null;
  const given = z
    .partialRecord(z.enum(Object.keys(DEFAULT_RATE_LIMITS) as RateCategory[]), z.number().int().min(1))
    .safeParse(safeJson(raw));
  if (!given.success)
    throw new Error(`must be off, or JSON with the keys ${Object.keys(DEFAULT_RATE_LIMITS).join(', ')}`);
  return { ...DEFAULT_RATE_LIMITS, ...given.data };
}

function safeJson(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}

/** `host` or `host=brandKey`, parted by commas. */
function parsePartnerHosts(raw: string): ReadonlyMap<string, string | null> {
  return new Map(
    raw.split(',').map((entry) => {
      const [host, brandKey] = entry.trim().split('=');
      if (!host || /[/\s]/.test(host)) throw new Error('must be a comma list of host or host=brandKey');
      return [host.toLowerCase(), brandKey ?? null] as const;
    }),
  );
}

export const variables = {
  NODE_ENV: variable(
    z.enum(['development', 'test', 'production']),
    'development',
    'production',
    'In production every secret must be set, cookies are Secure and webhooks go to public https only.',
  ),
  HOST: variable(text, '127.0.0.1; 0.0.0.0 in production', '0.0.0.0', 'The address to listen on.'),
  PORT: variable(integer(0, 65_535), '4000', '4000', 'The port to listen on; 0 takes a free one.'),
  BASE_URL: variable(
    url('http:', 'https:'),
    'http://localhost:PORT',
    'https://pay.example.com',
    'The public address, used in payment URLs.',
  ),
  LOG_LEVEL: variable(
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    'info',
    'warn',
    'How much is logged, as JSON lines on stderr.',
  ),
  DATA_DIR: variable(
    text,
    '.data',
    '/var/lib/quittance',
    'Where the embedded services, generated secrets and the journal live.',
  ),
  DATABASE_URL: variable(
    url('postgres:', 'postgresql:'),
    'an embedded PostgreSQL',
    'postgresql://quittance@db/quittance',
    'The PostgreSQL database.',
  ),
  REDIS_URL: variable(
    url('redis:', 'rediss:'),
    'an in-process bus',
    'redis://redis:6379',
    'Carries live events and rate limits between processes.',
  ),
  JWT_SECRET: variable(text, 'generated and kept in DATA_DIR', '64 hex characters', 'Signs sessions and page tokens.'),
  KEY_ENCRYPTION_KEY: variable(
    text,
    'generated and kept in DATA_DIR',
    '64 hex characters',
    'Encrypts the API keys that sign webhooks.',
  ),
  CRON_SECRET: variable(
    text,
    'generated and kept in DATA_DIR',
    '64 hex characters',
    'Opens the internal charge routes (x-cron-secret).',
  ),
  EDGE_SECRET: variable(
    text,
    'no edge enforcement',
    '64 hex characters',
    'What the edge proxy sends as x-edge-secret; requests without it are refused.',
  ),
  PLATFORM_RECIPIENT: variable(
    wallet,
    'a test wallet on the local chain, else none',
    '0x90f79bf6eb2c4f870365e785982e1f101e93b906',
    "Receives the platform's share of every split.",
  ),
  PLATFORM_ADMINS: variable(
    text.transform((raw) => raw.split(',').map((entry) => entry.trim())).pipe(z.array(wallet)),
    'none',
    '0x90f79bf6eb2c4f870365e785982e1f101e93b906',
    'Wallets that may configure the platform and act for any merchant, parted by commas.',
  ),
  BRAND_KEY: variable(text, 'quittance', 'acme', 'The brand of merchants that name none.'),
  PARTNER_HOSTS: variable(
    read(parsePartnerHosts),
    'none',
    'pay.acme.com=acme',
    'Partner domains: a comma list of host or host=brandKey.',
  ),
  RATE_LIMITS: variable(
    read(parseRateLimits),
    `${JSON.stringify(DEFAULT_RATE_LIMITS)}`,
    '{"orders":500}',
    'Requests per rolling minute and merchant, or off.',
  ),
  CHAIN_ID: variable(integer(1, 2 ** 47), 'a local chain (31337)', '8453', 'The chain that payments are made on.'),
  RPC_URL: variable(
    url('http:', 'https:'),
    'an embedded local chain',
    'https://rpc.example.com',
    "The chain's JSON-RPC endpoint.",
  ),
  TOKENS: variable(
    read(parseTokens),
    "the chain's own coin and its USDC and USDT",
    '{"USDC":{"address":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913","decimals":6}}',
    'The tokens buyers may pay with, as JSON.',
  ),
  CONFIRMATIONS: variable(
    integer(0, 1_000),
    '2 on the local chain, 12 elsewhere',
    '5',
    'Blocks on top of a payment before it counts as paid.',
  ),
  SPENDER_PRIVATE_KEY: variable(privateKey, 'a test account on the local chain', '0x…', 'Charges recurring plans.'),
  SETTLEMENT_PRIVATE_KEY: variable(
    privateKey,
    'a test account on the local chain',
    '0x…',
    'Deploys splits and releases shares; without it recipients do so themselves.',
  ),
  SPEND_PERMISSION_MANAGER: variable(
    wallet,
    'where it is deployed on known chains',
    '0xf85210b21cc50302f477ba56686d2019dc9b67ad',
    'The spend permission manager contract.',
  ),
  SPLIT_VERIFICATION: variable(
    z.enum(['strict', 'lenient']),
    'strict in production, lenient elsewhere',
    'strict',
    'Whether a split address given by a merchant must be a known splitter with the same shares.',
  ),
  FX_SOURCE: variable(z.enum(['static', 'chainlink', 'ecb']), 'static', 'ecb', 'Where exchange rates come from.'),
  FX_RATES: variable(
    read(parseRates),
    'EUR=1.0842,ETH=3100 on the local chain, else none',
    'EUR=1.0842,ETH=3100',
    'Static rates, in US dollars per unit.',
  ),
  FX_FEEDS: variable(
    read(parsePriceFeeds),
    'those of Ethereum, Base and the local chain',
    'EUR=0xc91d87e81fab8f93699ecf7ee9b44d11e1d53f0f,ETH=0x71041dddad3595f9ced3dccfbe3d1f4b0a16bb70',
    "Chainlink's price feeds in US dollars, by currency, for FX_SOURCE=chainlink.",
  ),
  FX_ECB_URL: variable(
    url('http:', 'https:'),
    ECB_DAILY_URL,
    'https://mirror.example.com/eurofxref-daily.xml',
    "The European Central Bank's daily reference rates, for FX_SOURCE=ecb.",
  ),
  FX_MAX_AGE_S: variable(
    integer(1, 31_536_000),
    '86400; 90000 with chainlink; 518400 with ecb',
    '3600',
    'Rates older than this many seconds are refused.',
  ),
  ONRAMP_PROVIDER: variable(z.enum(['sandbox', 'stripe']), 'sandbox', 'stripe', 'The card checkout provider.'),
  WEBHOOK_ALLOW_INSECURE: variable(
    flag,
    'on outside production',
    '0',
    'Allows webhooks to http and to private addresses.',
  ),
} as const;

type Variables = { -readonly [K in keyof typeof variables]: z.output<(typeof variables)[K]['read']> | undefined };

/** What the operator decided, typed and whole. Secrets that may be generated are null until the composition root fills them. */
export interface Config {
  readonly environment: 'development' | 'test' | 'production';
  readonly host: string;
  readonly port: number;
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
  readonly tokens: readonly Token[];
  readonly confirmations: number;
  readonly spenderPrivateKey: `0x${string}` | null;
  readonly settlementPrivateKey: `0x${string}` | null;
  readonly spendPermissionManager: Wallet | null;
  readonly splitVerification: 'strict' | 'lenient';
  readonly fx: {
    readonly source: 'static' | 'chainlink' | 'ecb';
    /** US dollars per unit, as decimal text. */
    readonly rates: ReadonlyMap<string, string>;
    readonly feeds: PriceFeeds;
    readonly ecbUrl: string;
    readonly maxAgeMs: number;
  };
  readonly onrampProvider: 'sandbox' | 'stripe';
  readonly webhookAllowInsecure: boolean;
}

/** What stops a start: one line per fault, each naming the variable, what is wrong with it, and an example. */
export class ConfigFaults extends Error {
  readonly lines: readonly string[];
  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'ConfigFaults';
    this.lines = lines;
  }
}

/**
 * A feed of Chainlink's speaks at least once a day, a little late at times; the ECB rests from Thursday to Tuesday at Easter.
 */
const DEFAULT_MAX_AGE_S = { static: 86_400, chainlink: 90_000, ecb: 518_400 } as const;

const SECRETS = ['JWT_SECRET', 'KEY_ENCRYPTION_KEY', 'CRON_SECRET'] as const;
const SECRET_BYTES = 32;

/** Reads the configuration from an environment; throws `ConfigFaults` with every fault at once. An empty value counts as unset. */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const faults: string[] = [];
  const given = {} as Variables;
  for (const [name, { read, example }] of Object.entries(variables)) {
    const raw = environment[name];
    if (raw === undefined || raw === '') continue;
    const parsed = (read as z.ZodType).safeParse(raw);
    if (parsed.success) Object.assign(given, { [name]: parsed.data });
    else faults.push(`${name}: ${parsed.error.issues[0]?.message ?? 'is not valid'} (for example ${name}=${example})`);
  }

  const production = given.NODE_ENV === 'production';
  for (const name of [...SECRETS, 'EDGE_SECRET'] as const) {
    const value = given[name];
    const needed = production && name !== 'EDGE_SECRET';
    if (value === undefined && needed)
      faults.push(`${name}: must be set in production (for example ${name}=$(openssl rand -hex 32))`);
    else if (value !== undefined && production && Buffer.byteLength(value) < SECRET_BYTES) {
      faults.push(`${name}: must be at least ${SECRET_BYTES} bytes (for example ${name}=$(openssl rand -hex 32))`);
    }
  }
  const chainId = given.CHAIN_ID ?? LOCAL_CHAIN_ID;
  const local = chainId === LOCAL_CHAIN_ID;
  if (!local && given.RPC_URL === undefined) {
    faults.push(`RPC_URL: must be set for chain ${chainId} (for example RPC_URL=${variables.RPC_URL.example})`);
  }
  const fxSource = given.FX_SOURCE ?? 'static';
  const feeds = given.FX_FEEDS ?? defaultPriceFeeds(chainId);
  if (fxSource === 'chainlink' && feeds.size === 0) {
    faults.push(`FX_FEEDS: must be set for chain ${chainId} (for example FX_FEEDS=${variables.FX_FEEDS.example})`);
  }
  if (faults.length > 0) throw new ConfigFaults(faults);

  return {
    environment: given.NODE_ENV ?? 'development',
    host: given.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    port: given.PORT ?? 4000,
    baseUrl: given.BASE_URL?.replace(/\/+$/, '') ?? null,
    logLevel: given.LOG_LEVEL ?? 'info',
    dataDir: resolve(projectDir, given.DATA_DIR ?? '.data'),
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
    tokens: given.TOKENS ?? defaultTokens(chainId),
    confirmations: given.CONFIRMATIONS ?? (local ? 2 : 12),
    spenderPrivateKey: given.SPENDER_PRIVATE_KEY ?? null,
    settlementPrivateKey: given.SETTLEMENT_PRIVATE_KEY ?? null,
    spendPermissionManager: given.SPEND_PERMISSION_MANAGER ?? null,
    splitVerification: given.SPLIT_VERIFICATION ?? (production ? 'strict' : 'lenient'),
    fx: {
      source: fxSource,
      rates: given.FX_RATES ?? (local ? parseRates('EUR=1.0842,ETH=3100') : new Map()),
      feeds,
      ecbUrl: given.FX_ECB_URL ?? ECB_DAILY_URL,
      maxAgeMs: (given.FX_MAX_AGE_S ?? DEFAULT_MAX_AGE_S[fxSource]) * 1000,
    },
    onrampProvider: given.ONRAMP_PROVIDER ?? 'sandbox',
    webhookAllowInsecure: given.WEBHOOK_ALLOW_INSECURE ?? !production,
  };
}
