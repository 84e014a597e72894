import { spawnSync } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { statfs } from 'node:fs/promises';
import { createServer, isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { type Chain, createChain } from '../../base/chain/client.ts';
import { currencyOf, isAtPar } from '../../base/chain/tokens.ts';
import { isLocalChain } from '../../base/core/local-chains.ts';
import { DESTINATIONS } from '../../base/outgoing/destinations.ts';
import { openFixedHost } from '../../base/outgoing/fixed-host.ts';
import { type Config, examineConfig } from '../../base/platform/config/config.ts';
import { listenFault } from '../../base/platform/config/variable-fault.ts';
import { variables } from '../../base/platform/config/variables.ts';
import { quarantinedIn } from '../../base/platform/journal.ts';
import { connectRedis } from '../../base/platform/redis/redis.ts';
import { JOURNAL } from '../../domain/sales/orders/journal-order.ts';
import { rateReaders } from '../../domain/shop/fx/live-rates.ts';
import {
  checkChain,
  checkDatabase,
  checkMigrations,
  checkPooler,
  checkReadUrl,
  checkSearch,
  checkSecrets,
  checkSessionUrl,
  type Finding,
} from './doctor-connections.ts';
import { print } from './print.ts';

const LABELS = { ok: 'ok     ', note: 'note   ', wrong: 'WRONG  ' } as const;

/**
 * `quittance doctor`: checks the configuration and its surroundings, and prints what is wrong and how to fix it. It
 * changes nothing and starts nothing. Exits with 1 if anything is wrong.
 */
export async function doctor({ json }: { json?: boolean }): Promise<void> {
  const findings = await examine(process.env);
  const wrong = findings.filter(({ state }) => state === 'wrong').length;
  print({ ok: wrong === 0, findings }, json, [
    ...findings.flatMap(({ check, state, found, fix }) => [
      `${LABELS[state]} ${check}: ${found}`,
      ...(fix === null ? [] : [`         ${fix}`]),
    ]),
    wrong === 0 ? 'Nothing is wrong.' : `${wrong} of ${findings.length} checks found something wrong.`,
  ]);
  if (wrong > 0) process.exitCode = 1;
}

/** Checks every chain of the configuration. */
const checkChains = async (config: Config): Promise<Finding[]> =>
  (await Promise.all([config, ...config.furtherChains].map((chain) => checkChain({ ...config, ...chain })))).flat();

/** A check, and the variables whose faults leave nothing for it to look at. */
type Check = readonly [
  check: (config: Config) => Finding[] | Promise<Finding[]>,
  of?: readonly (keyof typeof variables)[],
];

const ofChains = ['CHAIN_ID', 'CHAINS', 'RPC_URL', 'RPC_FALLBACK_URL', 'TOKENS'] as const;

/** Everything that is checked beside the values of variables, in the order in which it is printed. */
const CHECKS: readonly Check[] = [
  [(config) => checkDatabase(config.databaseUrl), ['DATABASE_URL']],
  [checkMigrations, ['DATABASE_URL']],
  [checkSearch, ['DATABASE_URL']],
  [checkSecrets, ['DATABASE_URL', 'KEY_ENCRYPTION_KEY', 'KEY_ENCRYPTION_KEY_PREVIOUS']],
  [checkPooler, ['DATABASE_URL', 'DATABASE_POOLER']],
  [checkSessionUrl, ['DATABASE_URL', 'DATABASE_SESSION_URL']],
  [checkReadUrl, ['DATABASE_URL', 'DATABASE_READ_URL']],
  [checkChains, ofChains],
  [checkRates, [...ofChains, 'FX_SOURCE', 'FX_FEEDS', 'FX_RATES', 'FX_ECB_URL']],
  [checkRedis, ['REDIS_URL']],
  [checkFlock],
  [checkDisk, ['DATA_DIR']],
  [checkQuarantine, ['DATA_DIR']],
  [checkPorts, ['PORT', 'HOST', 'METRICS_PORT', 'METRICS_HOST', 'TLS_CERT_FILE', 'TLS_KEY_FILE']],
  [checkAddress, ['BASE_URL', 'NODE_ENV']],
  [checkRecipient, ['PLATFORM_RECIPIENT', 'CHAIN_ID', 'CHAINS']],
  [checkChoices, [...ofChains, 'CONFIRMATIONS', 'EDGE_SECRET', 'SETTLEMENT_PRIVATE_KEY', 'PLATFORM_ADMINS']],
  [checkEqualSecrets],
];

/**
 * Examines an environment and its surroundings: the faults of the configuration that stop a start, and then everything
 * that does not depend on a variable with a fault.
 */
export async function examine(environment: Readonly<Record<string, string | undefined>>): Promise<Finding[]> {
  const { config, faults } = examineConfig(environment);
  const fix = 'Correct the variable; docs/run/configuration.md describes each.';
  const found = 'every variable has a valid value';
  const configuration: readonly Finding[] =
    faults.length === 0
      ? [{ check: 'configuration', state: 'ok', found, fix: null }]
      : faults.map((line) => ({ check: 'configuration', state: 'wrong', found: line, fix }));
  const faulty = new Set(faults.map((line) => line.slice(0, line.indexOf(':'))));
  const possible = CHECKS.filter(([, of = []]) => !of.some((name) => faulty.has(name)));
  const parts = await Promise.all(possible.map(([check]) => check(config)));
  return [...configuration, ...checkSpelling(environment), ...parts.flat()];
}

type Choices = Pick<
  Config,
  | 'chainId'
  | 'tls'
  | 'baseUrl'
  | 'edgeSecret'
  | 'settlementPrivateKey'
  | 'platformAdmins'
  | 'tokens'
  | 'finality'
  | 'furtherChains'
>;

/** Names each public chain on which a payment counts as paid while the chain may still take it back. */
const checkDepth = ({ chainId, finality: [smallest] }: Choices | Choices['furtherChains'][number]): Finding[] =>
  isLocalChain(chainId) || smallest.depth !== 0
    ? []
    : [
        {
          check: `CONFIRMATIONS of chain ${chainId}`,
          state: 'note',
          found: 'with 0 a payment is paid in its own block, which the chain may still replace',
          fix: 'Set at least 1, or leave CONFIRMATIONS out: each chain has a default.',
        },
      ];

/** Names what is left out on a public chain, and what does not work without it. */
function checkChoices(config: Choices): Finding[] {
  const depths = [config, ...config.furtherChains].flatMap(checkDepth);
  if (isLocalChain(config.chainId)) return depths;
  const note = (check: keyof typeof variables, found: string, fix: string): Finding => ({
    check,
    state: 'note',
    found: `it is not set: ${found}`,
    fix,
  });
  const { edgeSecret, tls, baseUrl, settlementPrivateKey, platformAdmins, tokens, furtherChains } = config;
  const behindProxy = tls === null && baseUrl?.startsWith('https:') === true;
  const coins = [...tokens, ...furtherChains.flatMap((chain) => chain.tokens)].filter(
    ({ address }) => address === null,
  );
  const symbols = [...new Set(coins.map(({ symbol }) => symbol))].join(', ');
  return [
    ...depths,
    ...(edgeSecret === null && behindProxy
      ? [
          note(
            'EDGE_SECRET',
            "callers share the rate limit of the proxy's address, and requests past the proxy are answered",
            'Set EDGE_SECRET=$(openssl rand -hex 32), and let the proxy send it as x-edge-secret.',
          ),
        ]
      : []),
    ...(settlementPrivateKey === null
      ? [
          note(
            'SETTLEMENT_PRIVATE_KEY',
            `no split is deployed and no share released${symbols ? `, and ${symbols} is never offered` : ''}`,
            'Set the key of a wallet of its own, and send it native coins for gas.',
          ),
        ]
      : []),
    ...(platformAdmins.length === 0
      ? [note('PLATFORM_ADMINS', "the console has no operator's page", 'Set PLATFORM_ADMINS to your wallet.')]
      : []),
  ];
}

const SECRETS = {
  jwtSecret: 'JWT_SECRET',
  keyEncryptionKey: 'KEY_ENCRYPTION_KEY',
  cronSecret: 'CRON_SECRET',
  edgeSecret: 'EDGE_SECRET',
  previousJwtSecret: 'JWT_SECRET_PREVIOUS',
  previousKeyEncryptionKey: 'KEY_ENCRYPTION_KEY_PREVIOUS',
  previousEdgeSecret: 'EDGE_SECRET_PREVIOUS',
} as const;

/** Checks that no secret has the value of another one: who learns one of them would have both. */
function checkEqualSecrets(config: Pick<Config, keyof typeof SECRETS>): Finding[] {
  const all = Object.keys(SECRETS) as (keyof typeof SECRETS)[];
  return all.flatMap((one, at) => {
    const twin = all.slice(0, at).find((other) => config[one] !== null && config[other] === config[one]);
    if (!twin) return [];
    const fix = `Set ${SECRETS[one]}=$(openssl rand -hex 32).`;
    return [{ check: SECRETS[one], state: 'wrong' as const, found: `it has the value of ${SECRETS[twin]}`, fix }];
  });
}

/** Shorter names are near to names of other programs. */
const SPELLING_MIN_LENGTH = 8;
const SPELLING_MAX_DISTANCE = 2;

/** Finds variables of the environment that nothing reads, and whose names are nearly those of the configuration. */
function checkSpelling(environment: Readonly<Record<string, string | undefined>>): Finding[] {
  const known = Object.keys(variables).filter(({ length }) => length >= SPELLING_MIN_LENGTH);
  const strange = Object.keys(environment).filter((name) => !(name in variables) && !known.includes(name));
  return strange.flatMap((name) => {
    const meant = known.find((one) => environment[one] === undefined && distance(name, one) <= SPELLING_MAX_DISTANCE);
    if (meant === undefined) return [];
    return [{ check: name, state: 'wrong' as const, found: 'it is no variable of Quittance', fix: `Set ${meant}.` }];
  });
}

/** The number of letters to insert, delete or replace; at least the difference of the lengths. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > SPELLING_MAX_DISTANCE) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}

const TIMEOUT_MS = 5_000;
/** The journal and the embedded services need room. */
const FREE_MIN_BYTES = 1 << 30;
const CERTIFICATE_MIN_DAYS = 14;
const DAY_MS = 86_400_000;
/** Browsers send cookies of https to these over http, too. */
const LOOPBACK = /^(?:localhost|127\..*|::1)$/;

/** Checks that Redis answers. */
export async function checkRedis({ redisUrl }: Pick<Config, 'redisUrl'>): Promise<Finding[]> {
  if (redisUrl === null) return [];
  const redis = connectRedis(redisUrl, {
    connectTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 1,
    retryStrategy: () => null,
  });
  // The error of the connection says more than that of the command, which is "Connection is closed".
  let lost: Error | undefined;
  redis.on('error', (error: Error) => {
    lost = error;
  });
  try {
    await redis.ping();
    return [{ check: 'redis', state: 'ok', found: 'it answers', fix: null }];
  } catch (error) {
    const fix = 'Start Redis, or correct REDIS_URL. One server alone needs none.';
    const { message } = lost ?? (error as Error);
    return [{ check: 'redis', state: 'wrong', found: `it does not answer: ${message}`, fix }];
  } finally {
    redis.disconnect();
  }
}

/** Checks the program that locks the files of the journal. */
export function checkFlock(): Finding[] {
  const check = 'flock';
  if (spawnSync('flock', ['--version']).status === 0)
    return [{ check, state: 'ok', found: 'it can lock the journal of orders', fix: null }];
  const fix = 'Install the package util-linux: the server does not start without it.';
  return [{ check, state: 'wrong', found: 'the program is not on PATH', fix }];
}

/** Checks the room that is left for DATA_DIR. */
export async function checkDisk({ dataDir }: Pick<Config, 'dataDir'>, freeMin = FREE_MIN_BYTES): Promise<Finding[]> {
  const disk = await statfs(dataDir).catch(() => null);
  if (disk === null) return [{ check: 'disk', state: 'note', found: `${dataDir} does not exist yet`, fix: null }];
  const free = disk.bavail * disk.bsize;
  const full = free < freeMin;
  return [
    {
      check: 'disk',
      state: full ? 'wrong' : 'ok',
      found: `${(free / (1 << 30)).toFixed(1)} GiB are free at ${dataDir}`,
      fix: full ? 'Make room, or move DATA_DIR: orders of an outage of the database are written there.' : null,
    },
  ];
}

/** Checks that every acknowledged order is booked or waits for the database. */
function checkQuarantine({ dataDir }: Pick<Config, 'dataDir'>): Finding[] {
  const { length } = quarantinedIn(dataDir, JOURNAL);
  if (length === 0) return [];
  const found = `${length} acknowledged ${length === 1 ? 'order' : 'orders'} could not be inserted`;
  const fix = 'See `quittance journal list`, remove the cause, then run `quittance journal retry`.';
  return [{ check: 'journal', state: 'note', found, fix }];
}

/** Checks that splits can be configured, which orders need. The local chain has a test wallet for it. */
export function checkRecipient({
  platformRecipient,
  chainId,
}: Pick<Config, 'platformRecipient' | 'chainId'>): Finding[] {
  if (platformRecipient !== null || isLocalChain(chainId)) return [];
  const found = 'it is not set: no split can be configured, and orders are refused without one';
  const fix = 'Set PLATFORM_RECIPIENT to your wallet.';
  return [{ check: 'PLATFORM_RECIPIENT', state: 'note', found, fix }];
}

/** Checks that a production server knows its public address, that its name resolves and, for https, its certificate. */
export async function checkAddress({
  baseUrl,
  environment,
}: Pick<Config, 'baseUrl' | 'environment'>): Promise<Finding[]> {
  const isPublic = environment === 'production';
  if (baseUrl === null) {
    const fix = 'Set BASE_URL to the public address.';
    return isPublic ? [{ check: 'BASE_URL', state: 'wrong', found: 'payment URLs lead to localhost', fix }] : [];
  }
  const { hostname, protocol, port } = new URL(baseUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  const isPlain = protocol === 'http:' && isPublic && !LOOPBACK.test(host);
  const plain: Finding = {
    check: 'BASE_URL',
    state: 'wrong',
    found: 'browsers send no cookies over http, so no one can sign in',
    fix: 'Serve https, with a proxy or TLS_CERT_FILE, and correct BASE_URL.',
  };
  try {
    const { address } = await lookup(host);
    const name: Finding = { check: 'name of BASE_URL', state: 'ok', found: `${host} is ${address}`, fix: null };
    if (protocol === 'https:') return [name, await checkCertificate(host, Number(port || 443))];
    return isPlain ? [name, plain] : [name];
  } catch {
    const fix = `Create a DNS record for ${host}, or correct BASE_URL.`;
    const name: Finding = { check: 'name of BASE_URL', state: 'wrong', found: `${host} does not resolve`, fix };
    return isPlain ? [name, plain] : [name];
  }
}

async function checkCertificate(host: string, port: number): Promise<Finding> {
  const check = 'certificate of BASE_URL';
  try {
    const days = await certificateDays(host, port);
    const soon = days < CERTIFICATE_MIN_DAYS;
    const fix = soon ? 'Renew the certificate.' : null;
    return { check, state: soon ? 'wrong' : 'ok', found: `it is valid for ${days} more days`, fix };
  } catch (error) {
    const fix = 'Start the server or proxy, with a certificate for this name of a known authority and its chain.';
    return { check, state: 'wrong', found: (error as Error).message, fix };
  }
}

/** Rejects if no one listens, or if the certificate does not verify for the name. */
function certificateDays(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket: TLSSocket = connect({ host, port, ...(isIP(host) ? {} : { servername: host }) }, () => {
      const { valid_to: end } = socket.getPeerCertificate();
      socket.end();
      resolve(Math.floor((Date.parse(end) - Date.now()) / DAY_MS));
    });
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error(`${host}:${port} does not answer`)));
    socket.on('error', reject);
  });
}

/** For an answer of this machine. */
const LISTENS_MS = 2_000;

/** Checks that a server can listen where it is to listen. One that runs already is no fault. */
async function checkPorts({
  host,
  port,
  tls,
  metrics,
}: Pick<Config, 'host' | 'port' | 'tls' | 'metrics'>): Promise<Finding[]> {
  const server = checkPlace('server', { host, port }, (at) => isServer(`${tls ? 'https' : 'http'}://${at}/healthz`));
  const figures = metrics && checkPlace('metrics', metrics, (at) => isMetrics(`http://${at}/metrics`));
  return (await Promise.all([server, figures])).flatMap((found) => found ?? []);
}

type Place = { readonly host: string; readonly port: number };

async function checkPlace(
  kind: 'server' | 'metrics',
  place: Place,
  isOurs: (at: string) => Promise<boolean>,
): Promise<Finding[]> {
  const check = kind === 'server' ? 'PORT' : 'METRICS_PORT';
  const error = await tryToListen(place);
  if (error === null) return [{ check, state: 'ok', found: `${place.port} is free`, fix: null }];
  const at = `${place.host === '0.0.0.0' || place.host === '::' ? '127.0.0.1' : place.host}:${place.port}`;
  if (await isOurs(at)) return [{ check, state: 'ok', found: `Quittance listens at ${place.port}`, fix: null }];
  const [found] = listenFault(kind, place, error)?.lines ?? [error.message];
  return [{ check, state: 'wrong', found: found!, fix: 'Free it, or set another one.' }];
}

/** The error of listening at a place; null if it is free. */
function tryToListen(place: Place): Promise<Error | null> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', resolve);
    server.listen(place, () => server.close(() => resolve(null)));
  });
}

/** A certificate for another name is no fault of a server on this machine: `checkAddress` looks at it. */
const isServer = async (url: string): Promise<boolean> =>
  url.startsWith('https:') ? isTls(url) : ((await ask(url))?.includes('"dependencies"') ?? false);

const isTls = async (url: string): Promise<boolean> =>
  openFixedHost(url)(url, { signal: AbortSignal.timeout(LISTENS_MS) }).then(
    () => true,
    (error: { readonly cause?: { readonly code?: string } }) => /CERT|SSL|SIGNED/.test(error.cause?.code ?? ''),
  );

const isMetrics = async (url: string): Promise<boolean> => (await ask(url))?.includes('quittance_') ?? false;

const ask = (url: string): Promise<string | null> =>
  openFixedHost(url)(url, { signal: AbortSignal.timeout(LISTENS_MS) }).then(
    (answer) => answer.text(),
    () => null,
  );

/** Checks that each rate of FX_SOURCE can be read and is new enough, and that each coin on offer has one. */
async function checkRates(config: Config): Promise<Finding[]> {
  const { fx, rpcUrl, chainId } = config;
  if (isLocalChain(chainId) && fx.source !== 'ecb') return [];
  const readers = fx.source === 'chainlink' && rpcUrl === null ? {} : rateReaders(config, firstChain, Date.now);
  const read = Object.entries(readers).map(([currency, reader]) => checkRate(config, currency, reader));
  const priced = new Set([...fx.rates.keys(), ...Object.keys(readers)]);
  return [...(await Promise.all(read)), ...coinsWithoutRate(config, priced)];

  function firstChain(): Chain {
    return createChain({ ...config, rpcUrl: rpcUrl as string });
  }
}

async function checkRate(
  { fx }: Config,
  currency: string,
  read: (signal: AbortSignal) => Promise<{ readonly usdPerUnit: string; readonly quotedAt: number | null }>,
): Promise<Finding> {
  const check = `rate of ${currency} (FX_SOURCE=${fx.source})`;
  try {
    const { usdPerUnit, quotedAt } = await read(AbortSignal.timeout(DESTINATIONS.rates.timeoutMs));
    const ageMs = Date.now() - (quotedAt ?? Date.now());
    if (ageMs <= fx.maxAgeOf(currency)) return { check, state: 'ok', found: `${usdPerUnit} dollars`, fix: null };
    const fix = 'Use another source, or raise FX_MAX_AGE_S: a rate that is older is refused.';
    return { check, state: 'wrong', found: `it is ${Math.round(ageMs / 1000)} s old`, fix };
  } catch (error) {
    const { shortMessage, message } = error as Error & { readonly shortMessage?: string };
    const reason = shortMessage ?? message.split('\n')[0];
    const fix = 'Correct FX_SOURCE, FX_FEEDS or FX_ECB_URL, or let this machine reach the source.';
    return { check, state: 'wrong', found: `it cannot be read: ${reason}`, fix };
  }
}

/** The coins that pages would show and quotes refuse. */
function coinsWithoutRate({ tokens, furtherChains, fx }: Config, priced: ReadonlySet<string>): Finding[] {
  const all = [...tokens, ...furtherChains.flatMap((chain) => chain.tokens)];
  const missing = all.filter((token) => !isAtPar(token) && !priced.has(currencyOf(token)));
  const fix =
    fx.source === 'static'
      ? 'Set FX_SOURCE=chainlink, or remove the coin from TOKENS.'
      : 'Add its feed to FX_FEEDS, or remove the coin from TOKENS.';
  return [...new Set(missing.map(({ symbol }) => symbol))].map((symbol) => ({
    ...({ check: `rate of ${symbol}`, state: 'wrong', fix } as const),
    found: 'it has none: quotes in it are refused with exchange_rate_unavailable',
  }));
}
