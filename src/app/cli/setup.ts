import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { createChain, reach } from '../../base/chain/client.ts';
import { chainName } from '../../base/chain/names.ts';
import { defaultPriceFeeds } from '../../base/chain/price-feeds.ts';
import type { Token } from '../../base/chain/token.ts';
import { currencyOf, defaultTokens, isAtPar, toDecimal } from '../../base/chain/tokens.ts';
import { isLocalChain } from '../../base/core/local-chains.ts';
import { email, label } from '../../base/core/text.ts';
import { type Config, examineConfig } from '../../base/platform/config/config.ts';
import { ConfigFaults } from '../../base/platform/config/faults.ts';
import { privateKey } from '../../base/platform/config/values.ts';
import type { variables } from '../../base/platform/config/variables.ts';
import { projectDir } from '../../base/platform/files/project-dir.ts';
import { type GasWallet, readGasWallets } from '../../domain/operations/operators/progress.ts';
import { examine } from './doctor.ts';
import type { Finding } from './doctor-connections.ts';
import { firstPayment } from './first-payment.ts';
import { print } from './print.ts';
import { flagOf, QUESTIONS, type Question, type QuestionName } from './setup-options.ts';

interface SetupOptions extends Partial<Record<QuestionName, string>> {
  readonly out?: string;
  readonly yes?: boolean;
  readonly force?: boolean;
  readonly payment?: boolean;
  readonly json?: boolean;
}

/**
 * `quittance setup`: asks what only the operator knows, makes the secrets, writes the environment of an installation,
 * and says what is left to do. With `--payment` it then follows a first payment.
 */
export async function setup({ out, yes, force, payment, json, ...given }: SetupOptions): Promise<void> {
  if (json && payment) throw new ConfigFaults(['--payment: prints lines while it waits, so it has no --json']);
  const refuse = (kind: Answers['for']) => {
    if (!force) refuseExisting(filesOf(kind, out));
  };
  const asks = process.stdin.isTTY === true && !yes && !json;
  const terminal = { input: process.stdin, output: process.stderr };
  const answers = answersOf(asks ? await askOn(terminal, given, refuse) : given);
  refuse(answers.for);
  if (payment && answers.for === 'compose')
    throw new ConfigFaults([
      '--payment: start the containers, then run `docker compose run --rm server first-payment`',
    ]);

  const files = filesOf(answers.for, out);
  const environments = makeEnvironments(answers);
  const kept = writeFiles(files, environments);
  const environment = surroundedBy(environments.server);
  const [findings, wallets] = await Promise.all([examine(environment), readFunding(examineConfig(environment).config)]);
  const left = findings.filter(({ state }) => state !== 'ok');
  print({ ok: findings.every(({ state }) => state !== 'wrong'), files, kept, wallets, findings }, json, [
    `Wrote ${files.server} and ${files.around}.`,
    ...kept.map((path) => `Kept what was there as ${path}.`),
    'Copy their keys to a place apart from this machine: a lost key cannot be made again.',
    ...fundingLines(wallets),
    ...leftLines(left),
    ...nextLines(answers, findings),
  ]);
  if (payment) await firstPayment({ wallet: answers.wallet, name: answers.name, release: true, environment });
}

/** What a server gets besides its file. Nothing else of this shell's environment belongs to it. */
function surroundedBy(server: Readonly<Record<string, string>>): Readonly<Record<string, string | undefined>> {
  const { DATA_DIR, HOST, PORT } = process.env;
  return { DATA_DIR, HOST, PORT, ...server };
}

function fundingLines(wallets: readonly Funding[]): string[] {
  const lines = wallets.map(({ role, address, coin, network, send, why, balance }) => {
    const amount = send === null ? `native coins` : `${send} ${coin}`;
    const has = balance === null || balance === '0' ? '' : ` It has ${balance}.`;
    return `  ${amount} on ${network} to ${address}, the ${role} wallet: ${why}.${has}`;
  });
  return lines.length === 0 ? [] : ['', 'Send, at the present price of gas:', ...lines];
}

function leftLines(left: readonly Finding[]): string[] {
  if (left.length === 0) return ['', 'The doctor finds nothing wrong.'];
  return [
    '',
    'What the doctor finds. Run it again once the server is started:',
    ...left.flatMap(({ check, found, fix }) => [`  ${check}: ${found}`, ...(fix === null ? [] : [`    ${fix}`])]),
  ];
}

/** Runs a command as the user of the services, with their environment. */
const AS_SERVICE =
  'systemd-run --quiet --pipe --wait --uid=quittance -p EnvironmentFile=/etc/quittance/quittance.env ' +
  '-E DATA_DIR=/var/lib/quittance quittance';

/** The way from the files to the first payment; docs/run/first-payment.md has the rest. */
function nextLines(answers: Answers, findings: readonly Finding[]): string[] {
  const { wallet, name } = answers;
  const payment = `first-payment --wallet ${wallet} --name '${name.replaceAll("'", "'\\''")}'`;
  if (answers.for === 'compose')
    return ['', 'Next:', '  docker compose up -d --build', `  docker compose run --rm server ${payment}`];
  const isAway = findings.some(({ check, state }) => check === 'database' && state === 'wrong');
  return [
    '',
    'Next, as root:',
    ...(isAway ? databaseLines(new URL(answers.database!)) : []),
    '  systemctl enable --now quittance-server quittance-worker && systemctl restart caddy',
    `  ${AS_SERVICE} ${payment}`,
  ];
}

/** What makes the database of the settings. */
function databaseLines({ username, password, pathname }: URL): string[] {
  const [user, secret, database] = [username, password, pathname.slice(1)].map(decodeURIComponent);
  return [
    '  su postgres -c psql',
    `    create role ${user} login password '${secret}';`,
    `    create database ${database} owner ${user};`,
  ];
}

/** What an answer becomes. */
interface Reading {
  /** The default; null if the question must be answered. */
  readonly fallback: (known: Partial<Answers>) => string | null;
  /** The answer as it is kept. Throws an `Error` whose message completes the sentence "--option: …". */
  readonly read?: (text: string, known: Partial<Answers>) => string;
  /** Whether the question has a meaning after the answers before it. */
  readonly applies?: (known: Partial<Answers>) => boolean;
  /** The variables that the answer becomes. Their faults are faults of the answer. */
  readonly variables?: readonly (keyof typeof variables)[];
}

/** Endpoints that need no account, for a trial. */
const PUBLIC_ENDPOINTS: Readonly<Record<string, string>> = {
  1: 'https://ethereum.reth.rs/rpc',
  10: 'https://mainnet.optimism.io',
  100: 'https://rpc.gnosischain.com',
  8453: 'https://mainnet.base.org',
  42161: 'https://arb1.arbitrum.io/rpc',
  43114: 'https://api.avax.network/ext/bc/C/rpc',
  84532: 'https://sepolia.base.org',
};

const isFor = (kind: Answers['for']) => (known: Partial<Answers>) => known.for === kind;

const READINGS: Readonly<Record<QuestionName, Reading>> = {
  for: { fallback: () => 'systemd', read: oneOf('systemd', 'compose') },
  domain: { fallback: () => hostname(), read: readDomain, variables: ['BASE_URL'] },
  chain: { fallback: () => '8453', read: readChain, variables: ['CHAIN_ID'] },
  rpc: {
    fallback: ({ chain = '' }) => PUBLIC_ENDPOINTS[chain] ?? null,
    variables: ['RPC_URL', 'RPC_FALLBACK_URL'],
  },
  wallet: { fallback: () => null, read: readWallet, variables: ['PLATFORM_ADMINS'] },
  feeWallet: { fallback: ({ wallet = null }) => wallet, variables: ['PLATFORM_RECIPIENT'] },
  settlement: { fallback: () => 'new', read: readKey, variables: ['SETTLEMENT_PRIVATE_KEY'] },
  email: { fallback: ({ domain }) => `hostmaster@${hostOf(domain)}`, read: (text) => parsed(email, text) },
  smtp: { fallback: () => 'none', read: readSmtp, applies: isFor('compose') },
  name: { fallback: () => 'My shop', read: (text) => parsed(label, text) },
  spender: { fallback: () => 'none', read: readKey, variables: ['SPENDER_PRIVATE_KEY', 'SETTLEMENT_PRIVATE_KEY'] },
  database: {
    fallback: () => `postgresql://quittance:${randomBytes(24).toString('hex')}@127.0.0.1/quittance`,
    applies: isFor('systemd'),
    variables: ['DATABASE_URL'],
  },
  redis: { fallback: () => 'redis://127.0.0.1:6379', applies: isFor('systemd'), variables: ['REDIS_URL'] },
};

/** The answers of the options. What they leave open has its default. Throws `ConfigFaults` with all that is wrong. */
function answersOf(given: Partial<Record<QuestionName, string>>): Answers {
  const known: Partial<Answers> = {};
  const faults: string[] = [];
  for (const question of QUESTIONS) {
    const text = given[question.name];
    if (!applies(question, known)) continue;
    try {
      take(question, text ?? defaultOf(question, known), known);
    } catch (error) {
      if (!(error instanceof ConfigFaults)) throw error;
      faults.push(...error.lines);
    }
  }
  if (faults.length > 0) throw new ConfigFaults(faults);
  return known as Answers;
}

/** What is needed to ask on a terminal. */
interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/**
 * Asks what no option answers. A wrong answer is asked again, at once.
 *
 * @param accept may end it, by an error, once it is known what starts the processes
 */
export async function askOn(
  { input, output }: Terminal,
  given: Partial<Record<QuestionName, string>>,
  accept: (kind: Answers['for']) => void,
): Promise<Partial<Record<QuestionName, string>>> {
  const lines = createInterface({ input, output });
  const known: Partial<Answers> = {};
  try {
    for (const question of QUESTIONS) {
      if (!applies(question, known)) continue;
      const text = given[question.name];
      if (text !== undefined || question.unasked) take(question, text ?? defaultOf(question, known), known);
      else await ask(question);
      if (question.name === 'for') accept(known.for!);
    }
  } finally {
    lines.close();
  }
  return known;

  async function ask(question: Question): Promise<void> {
    const fallback = READINGS[question.name].fallback(known);
    output.write(`\n${question.why}\n`);
    for (;;) {
      const text = (await lines.question(`${question.asks}${fallback === null ? '' : ` [${fallback}]`}: `)).trim();
      try {
        take(question, text || defaultOf(question, known), known);
        return;
      } catch (error) {
        if (!(error instanceof ConfigFaults)) throw error;
        output.write(`${error.message}\n`);
      }
    }
  }
}

const applies = ({ name }: Question, known: Partial<Answers>): boolean => READINGS[name].applies?.(known) ?? true;

function defaultOf({ name }: Question, known: Partial<Answers>): string {
  const fallback = READINGS[name].fallback(known);
  if (fallback === null) throw new ConfigFaults([`${flagOf(name)}: must be given`]);
  return fallback;
}

/** Adds an answer, if the settings accept it. */
function take({ name }: Question, text: string, known: Partial<Answers>): void {
  const { read, variables: names = [] } = READINGS[name];
  let answer: string;
  try {
    answer = read ? read(text.trim(), known) : text.trim();
  } catch (error) {
    throw new ConfigFaults([`${flagOf(name)}: ${(error as Error).message}`]);
  }
  const { faults } = examineConfig(environmentOf({ ...known, [name]: answer }).server);
  const fault = faults.find((line) => names.some((variable) => line.startsWith(`${variable}:`)));
  if (fault) throw new ConfigFaults([`${flagOf(name)}: ${fault}`]);
  Object.assign(known, { [name]: answer });
}

function oneOf(...words: readonly string[]) {
  return (text: string): string => {
    if (words.includes(text)) return text;
    throw new Error(`must be ${words.join(' or ')}`);
  };
}

/** The first problem of a value, as the parser names it. */
function parsed(
  schema: {
    safeParse(text: string): { data?: string | undefined; error?: { issues: { message: string }[] } | undefined };
  },
  text: string,
): string {
  const { data, error } = schema.safeParse(text);
  if (data === undefined) throw new Error(error?.issues[0]?.message);
  return data;
}

/** `pay.example.com` as `https://pay.example.com`. */
function readDomain(text: string, known: Partial<Answers>): string {
  const url = (text.includes('://') ? text : `https://${text}`).replace(/\/+$/, '');
  if (known.for === 'compose' && !url.startsWith('https://')) throw new Error('must be served over https');
  return url;
}

const hostOf = (domain = ''): string => (URL.canParse(domain) ? new URL(domain).hostname : 'localhost');

function readChain(text: string): string {
  if (!/^\d+$/.test(text) || defaultTokens(Number(text)).length > 0) return text;
  throw new Error(`${chainName(Number(text))} has no known tokens: set CHAIN_ID and TOKENS yourself`);
}

/** One wallet, where the variable may have several. */
function readWallet(text: string): string {
  if (text.includes(',')) throw new Error('must be one wallet');
  return text;
}

function readKey(text: string): string {
  return text === 'new' ? generatePrivateKey() : text;
}

function readSmtp(text: string): string {
  if (text === 'none') return text;
  if (!URL.canParse(text)) throw new Error('must be a URL such as smtp://user:password@smtp.example.com:587');
  const { protocol, host } = new URL(text);
  if (protocol === 'smtp:' && host !== '') return text;
  throw new Error('must begin with smtp:// and name a host');
}

/** The answers of the questions, each as the settings take it. Those that do not apply are missing. */
type Answers = Readonly<Record<Exclude<QuestionName, 'for' | 'smtp' | 'database' | 'redis'>, string>> & {
  readonly for: 'systemd' | 'compose';
  readonly smtp?: string;
  readonly database?: string;
  readonly redis?: string;
};

type Environment = Record<string, string>;

/** The variables of servers and workers, and those of what stands around them: the proxy, and with Compose the rest. */
interface Environments {
  readonly server: Environment;
  readonly around: Environment;
}

/** The variables that the answers become, without secrets that are made. */
function environmentOf(answers: Partial<Answers>): Environments {
  const { domain, chain, rpc, wallet, feeWallet, settlement, spender, email, smtp, database, redis } = answers;
  const [rpcUrl, ...fallbacks] = rpc?.split(',').map((url) => url.trim()) ?? [];
  return {
    server: defined({
      NODE_ENV: 'production',
      BASE_URL: domain,
      ...(chain === undefined ? {} : { CHAIN_ID: chain, ...pricedTokens(Number(chain)) }),
      RPC_URL: rpcUrl,
      RPC_FALLBACK_URL: fallbacks.join(',') || undefined,
      PLATFORM_ADMINS: wallet,
      PLATFORM_RECIPIENT: feeWallet,
      SETTLEMENT_PRIVATE_KEY: settlement === 'none' ? undefined : settlement,
      SPENDER_PRIVATE_KEY: spender === 'none' ? undefined : spender,
      // Servers get the address alone.
      SPENDER_ADDRESS: addressOfKey(spender),
      DATABASE_URL: database,
      REDIS_URL: redis,
    }),
    around: defined({
      SERVER_NAME: domain !== undefined && URL.canParse(domain) ? new URL(domain).host : undefined,
      ALERT_EMAIL: email,
      ...(smtp === undefined || smtp === 'none' ? {} : smtpOf(new URL(smtp))),
    }),
  };
}

function addressOfKey(text: string | undefined): string | undefined {
  const { data } = privateKey.safeParse(text);
  return data && privateKeyToAddress(data).toLowerCase();
}

/** Whether a proxy stands before the server, which proves by a secret that a request came through it. */
const hasProxy = ({ domain }: Pick<Answers, 'domain'>): boolean => domain.startsWith('https://');

/** The variables of the answers, with new secrets. */
export function makeEnvironments(answers: Answers): Environments {
  const { server, around } = environmentOf(answers);
  const edge: Environment = hasProxy(answers) ? { EDGE_SECRET: secret() } : {};
  const passwords: Environment =
    answers.for === 'compose'
      ? { POSTGRES_PASSWORD: secret(), REDIS_PASSWORD: secret(), GRAFANA_PASSWORD: secret() }
      : {};
  return {
    server: { ...server, JWT_SECRET: secret(), KEY_ENCRYPTION_KEY: secret(), CRON_SECRET: secret(), ...edge },
    around: { ...around, ...edge, ...passwords },
  };
}

const secret = (): string => randomBytes(32).toString('hex');

/** The source of prices, and the tokens where it does not price each of them: the others would be shown and refused. */
function pricedTokens(chainId: number): Partial<Environment> {
  if (isLocalChain(chainId)) return {};
  const feeds = defaultPriceFeeds(chainId);
  const tokens = defaultTokens(chainId);
  const priced = tokens.filter((token) => isAtPar(token) || feeds.has(currencyOf(token)));
  return {
    FX_SOURCE: feeds.size > 0 ? 'chainlink' : undefined,
    TOKENS: priced.length < tokens.length ? JSON.stringify(Object.fromEntries(priced.map(asEntry))) : undefined,
  };
}

const asEntry = ({ symbol, ...token }: Token): [string, object] => [symbol, token];

const smtpOf = ({ host, username, password }: URL): Environment => ({
  COMPOSE_PROFILES: 'alerts',
  SMTP_HOST: host,
  SMTP_USER: decodeURIComponent(username),
  SMTP_PASSWORD: decodeURIComponent(password),
});

const defined = (values: Readonly<Record<string, string | undefined>>): Environment =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined));

/** The files of an installation. Each is for its owner alone. */
interface Files {
  /** What servers and workers read. */
  readonly server: string;
  /** What the proxy reads, and with Compose all other services. */
  readonly around: string;
}

const FOLDERS = { systemd: '/etc/quittance', compose: join(projectDir, 'docs/operations/deploy') } as const;
const AROUND = { systemd: 'caddy.env', compose: '.env' } as const;

/** Where the files of an installation are. */
const filesOf = (kind: Answers['for'], folder: string = FOLDERS[kind]): Files => ({
  server: join(folder, 'quittance.env'),
  around: join(folder, AROUND[kind]),
});

/** Refuses to replace a file: it may hold the only copy of a key. */
function refuseExisting({ server, around }: Files): void {
  const existing = [server, around].filter((path) => existsSync(path));
  if (existing.length > 0)
    throw new ConfigFaults(existing.map((path) => `${path}: is there already (--force keeps it under another name)`));
}

/**
 * Writes the files with mode 0600. A file that is there is kept under another name, because a key in it may be needed.
 * Returns those names.
 */
function writeFiles({ server, around }: Files, environments: Environments): string[] {
  mkdirSync(join(server, '..'), { recursive: true });
  const pairs = [[server, environments.server] as const, [around, environments.around] as const];
  const texts = pairs.map(([path, environment]) => [path, textOf(environment)] as const);
  return texts.flatMap(([path, text]) => {
    const kept = existsSync(path) ? [`${path}.${new Date().toISOString().replaceAll(':', '')}`] : [];
    for (const name of kept) renameSync(path, name);
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
    return kept;
  });
}

/**
 * An environment as systemd and Compose read it alike: in single quotes nothing has a meaning but the quote itself.
 * Throws `ConfigFaults` with a value that neither can hold.
 */
export function textOf(environment: Readonly<Record<string, string>>): string {
  const lines = Object.entries(environment).map(([name, value]) => {
    if (/['\n\r]/.test(value)) throw new ConfigFaults([`${name}: must have no single quote and no line break`]);
    return `${name}=${/^[\w@%+:,./=?&-]*$/.test(value) ? value : `'${value}'`}`;
  });
  return `# Made by \`quittance setup\`. Keep a copy of the keys apart from this machine.\n${lines.join('\n')}\n`;
}

/** What a wallet needs before the first payment. */
interface Funding extends GasWallet {
  /** The native coins to send, as decimal text; null if the endpoint does not name a price of gas. */
  readonly send: string | null;
  readonly why: string;
}

/** The gas that a wallet may need at first: a deployment, then 100 payments of two recipients (docs/run/wallets.md). */
const NEEDS = {
  settlement: {
    gas: 910_000n + 100n * 2n * 110_000n,
    why: "it deploys the shop's split once, and releases the shares of about 100 payments",
  },
  spender: {
    gas: 1_500_000n + 100n * 250_000n,
    why: 'it deploys the charging contract once, and charges about 100 subscriptions',
  },
} as const;

const COIN_DECIMALS = 18;

/** How many coins to send to which wallet of the installation, at the present price of gas. */
async function readFunding(config: Config): Promise<Funding[]> {
  if (config.rpcUrl === null) return [];
  const chain = createChain({ ...config, rpcUrl: config.rpcUrl });
  const [wallets, price] = await Promise.all([
    readGasWallets({ chains: [chain], settings: config }),
    reach(chain.client.getGasPrice()).catch(() => null),
  ]);
  return wallets.map((wallet) => {
    const { gas, why } = NEEDS[wallet.role];
    return { ...wallet, why, send: price === null ? null : toDecimal(twoDigits(gas * price), COIN_DECIMALS) };
  });
}

/** Rounded up to its two leading digits. */
export function twoDigits(value: bigint): bigint {
  const unit = 10n ** BigInt(Math.max(0, String(value).length - 2));
  return ((value + unit - 1n) / unit) * unit;
}
