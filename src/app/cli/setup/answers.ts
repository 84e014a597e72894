import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { generatePrivateKey } from 'viem/accounts';
import { chainName } from '../../../base/chain/names.ts';
import { defaultTokens } from '../../../base/chain/tokens.ts';
import { email, label } from '../../../base/core/text.ts';
import { examineConfig } from '../../../base/platform/config/config.ts';
import { ConfigFaults } from '../../../base/platform/config/faults.ts';
import type { variables } from '../../../base/platform/config/variables.ts';
import { type Answers, environmentOf } from './environment.ts';
import { flagOf, QUESTIONS, type Question, type QuestionName } from './options.ts';

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
export function answersOf(given: Partial<Record<QuestionName, string>>): Answers {
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
export interface Terminal {
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
