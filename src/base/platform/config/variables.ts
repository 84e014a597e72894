import { CronExpressionParser } from 'cron-parser';
import { z } from 'zod';
import { parsePriceFeeds } from '../../chain/price-feeds.ts';
import { parseTokens } from '../../chain/tokens.ts';
import { parseDurationMs } from '../../core/duration.ts';
import { parseFinality } from '../../core/finality.ts';
import { LOG_LEVELS } from '../../core/log-level.ts';
import { parseRates } from '../../core/rates.ts';
import { isRedisUrl } from '../redis/redis.ts';
import { parseChains } from './chains.ts';
import { GAS_VARIABLES } from './gas.ts';
import { MAIL_VARIABLES } from './mail.ts';
import { parsePartnerHosts } from './partner-hosts.ts';
import {
  DEFAULT_NEWCOMER_RATE_LIMITS,
  parseNewcomerRateLimits,
  parseRateLimits,
  USUAL_RATE_LIMITS,
} from './rate-limits.ts';
import { RETENTION_VARIABLES } from './retention.ts';
import {
  canRead,
  choice,
  file,
  flag,
  integer,
  parsePrivateKeys,
  privateKey,
  read,
  text,
  url,
  variable,
  wallet,
} from './values.ts';

function isSchedule(text: string): boolean {
  if (text === 'off') return true;
  if (!/^(?:[\d*/,-]+ ){4}[\d*/,-]+$/.test(text)) return false;
  try {
    return CronExpressionParser.parse(text, { tz: 'UTC' }).next() !== undefined;
  } catch {
    return false;
  }
}

function parseHeaders(raw: string): Readonly<Record<string, string>> {
  const pairs = raw.split(',').map((pair) => /^\s*([\w-]+)\s*=(.*)$/.exec(pair));
  return Object.fromEntries(
    pairs.map((pair) => {
      if (pair === null) throw new Error('must be name=value, separated by commas');
      return [pair[1]!.toLowerCase(), decodeURIComponent(pair[2]!.trim())];
    }),
  );
}

/** Where the service is watched: metrics and traces. */
const OBSERVING_VARIABLES = {
  METRICS_PORT: variable(
    integer(0, 65_535),
    'no metrics',
    '9464',
    'Serves [metrics](metrics.md) for Prometheus at `/metrics` on this port of its own; 0 selects a free port.',
  ),
  METRICS_HOST: variable(
    text,
    '127.0.0.1',
    '10.0.0.5',
    'The address on which METRICS_PORT listens. The metrics need no credential, so it must not be public.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(
    url('http:', 'https:'),
    'no traces',
    'http://127.0.0.1:4318',
    'Sends [traces](metrics.md#traces) to the OpenTelemetry collector at this address.',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: variable(
    read(parseHeaders),
    'none',
    'authorization=Bearer%20…',
    'Headers for the collector: name=value, separated by commas, with percent-encoded values.',
  ),
  OTEL_SERVICE_NAME: variable(text, 'quittance', 'quittance-worker', 'The name of this process in traces.'),
  OTEL_TRACES_SAMPLER_ARG: variable(
    z.coerce.number().min(0).max(1),
    '1',
    '0.1',
    'The share of the traces that are sent, of those that begin in this process.',
  ),
} as const;

/** Where the European Central Bank publishes its reference rates, once each working day. */
export const ECB_DAILY_URL = 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml';

/** Every environment variable that the service reads. */
export const variables = {
  NODE_ENV: variable(
    choice('development', 'test', 'production'),
    'development',
    'production',
    'In production every secret must be set, cookies are Secure and webhooks go only to public https addresses.',
  ),
  HOST: variable(text, '127.0.0.1; 0.0.0.0 in production', '0.0.0.0', 'The address to listen on.'),
  PORT: variable(integer(0, 65_535), '4000', '4000', 'The port to listen on; 0 selects a free port.'),
  TLS_CERT_FILE: variable(
    file,
    'plain HTTP',
    '/etc/quittance/fullchain.pem',
    'The certificate (PEM, with its chain) to serve HTTPS with; a renewed file is loaded within a minute.',
  ),
  TLS_KEY_FILE: variable(file, 'plain HTTP', '/etc/quittance/privkey.pem', 'The key of TLS_CERT_FILE.'),
  BASE_URL: variable(
    url('http:', 'https:').refine((raw) => !/[?#@]/.test(raw), 'must have no query, no fragment and no password'),
    'http://localhost:PORT',
    'https://pay.example.com',
    'The public address, used in payment URLs.',
  ),
  LOG_LEVEL: variable(
    choice(...LOG_LEVELS),
    'info',
    'warn',
    'The lowest level that is logged, as JSON lines on stderr. `quittance log-level` changes it without a restart.',
  ),
  DATA_DIR: variable(
    text,
    '.data',
    '/var/lib/quittance',
    'The folder of the embedded services, generated secrets and the journal.',
  ),
  DATABASE_URL: variable(
    url('postgres:', 'postgresql:'),
    'an embedded PostgreSQL',
    'postgresql://quittance@db/quittance',
    'The PostgreSQL database. A request waits at most 1.5 s for a connection and 1.8 s for a statement; ' +
      '`?connect_timeout=SECONDS&options=-c%20statement_timeout%3DMILLISECONDS` changes that.',
  ),
  DATABASE_POOLER: variable(
    choice('transaction'),
    'no pooler, or one in session mode',
    'transaction',
    'The mode of the [pooler](scaling.md#a-connection-pooler) of DATABASE_URL. No statement is prepared.',
  ),
  DATABASE_SESSION_URL: variable(
    url('postgres:', 'postgresql:'),
    'DATABASE_URL',
    'postgresql://quittance@db:5432/quittance',
    'The same database without a pooler in transaction mode: for notifications, locks and migrations.',
  ),
  DATABASE_READ_URL: variable(
    url('postgres:', 'postgresql:'),
    'all reads go to DATABASE_URL',
    'postgresql://quittance@replica/quittance',
    'A streaming [replica](scaling.md#a-replica-for-reads) for lists, searches, exports and statistics.',
  ),
  MIGRATE: variable(
    choice('on', 'off').transform((raw) => raw === 'on'),
    'on',
    'off',
    'Whether `start`, `serve` and `worker` run [pending migrations](upgrades.md). With `off`, only ' +
      '`quittance migrate` does, and a start with pending migrations is refused.',
  ),
  NEWER_SCHEMA: variable(
    choice('refuse', 'accept').transform((raw) => raw === 'accept'),
    'refuse',
    'accept',
    'Whether this version runs on tables that a newer version has migrated, which a ' +
      '[roll back](upgrades.md#roll-back) needs. A newer contract step is refused in any case.',
  ),
  REDIS_URL: variable(
    text.refine(isRedisUrl, 'must be a redis://, rediss:// or redis-cluster://host:port,host:port URL'),
    'an in-process bus',
    'redis://redis:6379',
    'Shares live events and rate limits between processes. A cluster: redis-cluster://host:port,host:port ' +
      '(some of its nodes; rediss-cluster:// with TLS).',
  ),
  JWT_SECRET: variable(
    text,
    'generated and stored in DATA_DIR',
    '64 hex characters',
    'Signs sessions and page tokens.',
  ),
  JWT_SECRET_PREVIOUS: variable(
    text,
    'none',
    '64 hex characters',
    'The value that JWT_SECRET has replaced: [its sessions and page tokens](production.md#replace-a-secret) stay valid.',
  ),
  KEY_ENCRYPTION_KEY: variable(
    text,
    'generated and stored in DATA_DIR',
    '64 hex characters',
    'Encrypts the API keys that sign webhooks.',
  ),
  KEY_ENCRYPTION_KEY_PREVIOUS: variable(
    text,
    'none',
    '64 hex characters',
    'The value that KEY_ENCRYPTION_KEY has replaced: [what it encrypted](production.md#replace-key_encryption_key) stays ' +
      'readable.',
  ),
  CRON_SECRET: variable(
    text,
    'generated and stored in DATA_DIR',
    '64 hex characters',
    'Authorizes the scheduler on the charge routes (x-cron-secret).',
  ),
  EDGE_SECRET: variable(
    text,
    'no edge enforcement',
    '64 hex characters',
    'The secret that the edge proxy sends as x-edge-secret; requests without it are refused.',
  ),
  EDGE_SECRET_PREVIOUS: variable(
    text,
    'none',
    '64 hex characters',
    'The value that EDGE_SECRET has replaced. [It is accepted as well](production.md#replace-a-secret), until the proxy ' +
      'sends the new one.',
  ),
  PLATFORM_RECIPIENT: variable(
    wallet.refine((address) => !/^0x0+$/.test(address), 'must not be the zero address'),
    'a test wallet on the local chain, else none',
    `0x${'1'.repeat(40)}`,
    "Receives the platform's share of every split.",
  ),
  PLATFORM_ADMINS: variable(
    text.transform((raw) => raw.split(',').map((entry) => entry.trim())).pipe(z.array(wallet)),
    'none',
    `0x${'2'.repeat(40)}`,
    'Wallets that may configure the platform and act for any merchant, separated by commas.',
  ),
  SIGNUP: variable(
    choice('closed', 'invite', 'open'),
    'open on the local chain, closed elsewhere and in production',
    'invite',
    'Whether a signed-in wallet may register a merchant: not at all, with a code of the operator, or freely.',
  ),
  SIGNUPS_PER_DAY: variable(
    integer(1, 1_000_000),
    'no limit on the local chain, 100 elsewhere',
    '20',
    'With SIGNUP=open, the number of merchants that wallets register within 24 hours and that the operator has not ' +
      'admitted.',
  ),
  NEWCOMER_STORAGE_MB_PER_DAY: variable(
    integer(1, 10_000_000),
    'no limit on the local chain, 5000 elsewhere',
    '20000',
    'How much the whole database may grow on a day (UTC), in megabytes, before merchants that the operator has not ' +
      'admitted, and wallets without a merchant, store nothing more on that day.',
  ),
  BRAND_KEY: variable(text, 'quittance', 'acme', 'The brand of merchants that have none.'),
  PARTNER_HOSTS: variable(
    read(parsePartnerHosts),
    'none',
    'pay.acme.com=acme',
    'Partner domains: a comma-separated list of host or host=brandKey.',
  ),
  ...OBSERVING_VARIABLES,
  GRAPHQL_FAST_PATH: variable(
    choice('on', 'off').transform((raw) => raw === 'on'),
    'on',
    'off',
    'Answers the most common GraphQL requests without graphql-yoga. With `off`, graphql-yoga answers all of them.',
  ),
  GRAPHIQL: variable(
    choice('on', 'admins', 'off'),
    'on; off in production',
    'admins',
    'Who may open GraphiQL at `/api/graphql` in a browser: everyone, or signed-in admins.',
  ),
  TRUSTED_DOCUMENTS: variable(
    text.refine(canRead, 'must name a folder or a file that can be read'),
    'none',
    './documents',
    'The GraphQL documents that clients may name by their id: a folder of `.graphql` files, or a JSON manifest.',
  ),
  RATE_LIMITS: variable(
    read(parseRateLimits),
    JSON.stringify(USUAL_RATE_LIMITS),
    '{"orders":500}',
    'Requests per rolling minute and merchant, or off. `people`: reads of each member; like `reads` if only that is set.',
  ),
  NEWCOMER_RATE_LIMITS: variable(
    read(parseNewcomerRateLimits),
    `${JSON.stringify(DEFAULT_NEWCOMER_RATE_LIMITS)}`,
    '{"orders":2000}',
    'Requests per rolling minute of all merchants together that the operator has not admitted, and of all wallets ' +
      'without a merchant.',
  ),
  CHAIN_ID: variable(
    integer(1, 2 ** 47),
    'a local chain (31337); must be set in production',
    '8453',
    'The first chain on which payments are made.',
  ),
  CHAINS: variable(
    read(parseChains),
    'a second local chain (31338) beside the embedded one, else none',
    '[{"chainId":10,"rpcUrl":"https://optimism.example.com"}]',
    'The chains after the first, as a JSON array of objects with `chainId` and `rpcUrl`, and if needed ' +
      '`rpcFallbackUrls` (an array), `tokens` (as TOKENS), `confirmations` (as CONFIRMATIONS) and ' +
      '`spendPermissionManager` (as SPEND_PERMISSION_MANAGER). Without CHAIN_ID and RPC_URL its first entry is the ' +
      'first chain. The other variables about a chain describe the first one.',
  ),
  RPC_URL: variable(
    url('http:', 'https:'),
    'an embedded local chain',
    'https://rpc.example.com',
    "The chain's JSON-RPC endpoint.",
  ),
  RPC_FALLBACK_URL: variable(
    text.transform((raw) => raw.split(',').map((entry) => entry.trim())).pipe(z.array(url('http:', 'https:')).max(5)),
    'none',
    'https://rpc2.example.com,https://rpc3.example.com',
    'Further endpoints of the same chain, separated by commas, tried in this order if RPC_URL fails, lags or ' +
      'serves another chain.',
  ),
  CROSS_CHECK_USD: variable(
    integer(0, 1_000_000_000),
    '1000',
    '250',
    'With RPC_FALLBACK_URL: receipts above this amount in US dollars are paid only when two endpoints confirm the ' +
      'payment.',
  ),
  TOKENS: variable(
    read(parseTokens),
    "the chain's native coin, USDC and USDT",
    '{"USDC":{"address":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913","decimals":6}}',
    'The accepted tokens, as JSON, compared with their contracts at startup. `onChainSymbol` is the symbol of the ' +
      'contract, if it differs.',
  ),
  CONFIRMATIONS: variable(
    read(parseFinality),
    'by chain ([table](chains.md#confirmations))',
    '{"0":2,"1000":12,"10000":"finalized"}',
    'What a payment needs before it counts as paid: a number of blocks after it, safe, finalized, or one of these by amount in US dollars.',
  ),
  SPENDER_PRIVATE_KEY: variable(
    privateKey,
    'a test account on the local chain',
    '0x…',
    'The wallet that charges recurring plans.',
  ),
  SPENDER_ADDRESS: variable(
    wallet,
    'the wallet of SPENDER_PRIVATE_KEY',
    `0x${'3'.repeat(40)}`,
    'The wallet of SPENDER_PRIVATE_KEY, for servers without the key: they offer plans, and workers that have the key ' +
      'charge on CHARGE_SCHEDULE. The charge routes of such a server answer 503.',
  ),
  SPENDER_PREVIOUS_KEYS: variable(
    read(parsePrivateKeys),
    'none',
    '0x…,0x…',
    'Keys that SPENDER_PRIVATE_KEY has replaced. They charge the permissions that name their contracts, until none is left.',
  ),
  SETTLEMENT_PRIVATE_KEY: variable(
    privateKey,
    'a test account on the local chain',
    '0x…',
    'The wallet that deploys splits and releases shares; without it the recipients do so themselves.',
  ),
  ...GAS_VARIABLES,
  SPEND_PERMISSION_MANAGER: variable(
    wallet,
    'the known contract of the chain',
    '0xf85210b21cc50302f477ba56686d2019dc9b67ad',
    'The spend permission manager contract of the first chain; CHAINS has those of the others.',
  ),
  CHARGE_SCHEDULE: variable(
    text
      .refine(isSchedule, 'must be `off` or the five fields of a cron expression that has a next time')
      .transform((schedule) => (schedule === 'off' ? null : schedule)),
    '0 4 * * * (daily, UTC)',
    'off',
    'When the workers charge every due subscription, as a cron expression in UTC; `off` leaves it to an external ' +
      'scheduler.',
  ),
  SPLIT_VERIFICATION: variable(
    choice('strict', 'lenient'),
    'strict in production, lenient elsewhere',
    'strict',
    'Whether a split address given by a merchant must be a known splitter with the same shares.',
  ),
  RECEIPT_WATCH_DAYS: variable(
    integer(1, 3_650),
    '365',
    '730',
    'For so many days after the creation of a receipt its address is read for coins. Tokens are found without an end.',
  ),
  RECEIPT_TTL: variable(
    read(parseDurationMs),
    '7d',
    '24h',
    'How long a receipt waits for its payment unless the request says otherwise, as in 90s, 30m, 12h or 7d; 0s for ever.',
  ),
  FX_SOURCE: variable(choice('static', 'chainlink', 'ecb'), 'static', 'ecb', 'The source of exchange rates.'),
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
    '86400; 90000 with chainlink, for new prices in ETH 3600 on Base and 7200 on Ethereum; 518400 with ecb',
    '3600',
    'Rates older than this many seconds are refused.',
  ),
  ONRAMP_PROVIDER: variable(
    choice('sandbox', 'stripe'),
    'sandbox on the local chain, no card checkout elsewhere',
    'stripe',
    'The provider that charges cards and delivers USDC: Stripe, or a sandbox that pays on the local chain.',
  ),
  STRIPE_SECRET_KEY: variable(
    text,
    'none',
    'sk_live_…',
    "Stripe's API key, for ONRAMP_PROVIDER=stripe. A key in test mode (sk_test_…) delivers nothing on a real chain.",
  ),
  STRIPE_WEBHOOK_SECRET: variable(
    text,
    'none',
    'whsec_…',
    "The endpoint's signing secret, which proves that events come from Stripe.",
  ),
  STRIPE_API_URL: variable(
    url('http:', 'https:'),
    'https://api.stripe.com',
    'https://stripe.mirror.example.com',
    "The address of Stripe's API, for a mirror of it.",
  ),
  WEBHOOK_ALLOW_INSECURE: variable(
    flag,
    'on outside production',
    '0',
    'Allows webhooks to http and to private addresses.',
  ),
  ...MAIL_VARIABLES,
  ...RETENTION_VARIABLES,
} as const;
