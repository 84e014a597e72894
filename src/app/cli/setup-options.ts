import type { Option } from 'commander';
import { option } from './command-row.ts';

/** A question of `quittance setup`, which an option answers as well. */
export interface Question {
  /** The option without its hyphens. */
  readonly name: QuestionName;
  readonly value: string;
  readonly asks: string;
  /** Why it matters, in one sentence. */
  readonly why: string;
  /** The environment variable that may hold the answer: the command line is visible in the list of processes. */
  readonly env?: string;
  /** Only the option answers it: the default suits most installations. */
  readonly unasked?: true;
}

export type QuestionName =
  | 'for'
  | 'domain'
  | 'chain'
  | 'rpc'
  | 'wallet'
  | 'feeWallet'
  | 'settlement'
  | 'email'
  | 'smtp'
  | 'name'
  | 'spender'
  | 'database'
  | 'redis';

/** The questions in the order in which they are asked: at most ten. */
export const QUESTIONS: readonly Question[] = [
  {
    name: 'for',
    value: '<systemd|compose>',
    asks: 'What starts the processes',
    why: 'Both have ready files in docs/run/deploy; Compose brings PostgreSQL, Redis and Caddy.',
  },
  {
    name: 'domain',
    value: '<host>',
    asks: 'Public name of the server',
    why: 'Buyers open payment pages there, and the certificate is issued for it.',
  },
  {
    name: 'chain',
    value: '<id>',
    asks: 'Id of the chain on which buyers pay',
    why: '8453 is Base, where a transfer costs less than a cent; docs/run/chains.md lists the others.',
  },
  {
    name: 'rpc',
    value: '<url,url>',
    asks: 'RPC endpoints of this chain, the first one preferred',
    why: 'Payments are seen through them: a public endpoint is enough for a trial, two providers for a shop.',
  },
  {
    name: 'wallet',
    value: '<0x…>',
    asks: "Your wallet, the shop's and the operator's",
    why: 'It receives what buyers pay, and signs in to the console.',
  },
  {
    name: 'feeWallet',
    value: '<0x…>',
    asks: "Wallet of the platform's share",
    why: 'Each payment sends it 0.5 %.',
  },
  {
    name: 'settlement',
    value: '<new|none|0x…>',
    asks: 'Settlement wallet: a new one, none, or its private key',
    why: 'It pays the gas that deploys splits and releases shares; without it no native coin is offered.',
    env: 'SETTLEMENT_PRIVATE_KEY',
  },
  {
    name: 'email',
    value: '<address>',
    asks: 'Your e-mail address',
    why: 'The authority of the certificate and the alerts write to it.',
  },
  {
    name: 'smtp',
    value: '<smtp://user:password@host:587|none>',
    asks: 'SMTP server that sends the alerts',
    why: 'Without it alerts stand in Prometheus only.',
    env: 'SMTP_URL',
  },
  {
    name: 'name',
    value: '<name>',
    asks: 'Name of the shop',
    why: 'Buyers see it on the payment page.',
  },
  {
    name: 'spender',
    value: '<new|none|0x…>',
    asks: 'Spender wallet: a new one, none, or its private key',
    why: 'It pays the gas that charges recurring plans; without it there are none.',
    env: 'SPENDER_PRIVATE_KEY',
    unasked: true,
  },
  {
    name: 'database',
    value: '<url>',
    asks: 'PostgreSQL database, for systemd',
    why: 'It holds everything; by default a local one with a new password.',
    env: 'DATABASE_URL',
    unasked: true,
  },
  {
    name: 'redis',
    value: '<url>',
    asks: 'Redis, for systemd',
    why: 'It carries signals between the server and the worker.',
    env: 'REDIS_URL',
    unasked: true,
  },
];

/** `feeWallet` as `fee-wallet`. */
export const flagOf = (name: QuestionName): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** The options of `quittance setup`. */
export const SETUP_OPTIONS: readonly Option[] = [
  ...QUESTIONS.map(({ name, value, asks, env }) => {
    const made = option(`${flagOf(name)} ${value}`, `${asks[0]!.toLowerCase()}${asks.slice(1)}`);
    return env === undefined ? made : made.env(env);
  }),
  option('--out <folder>', 'where the files are written; default: /etc/quittance, or the folder of compose.yaml'),
  option('--yes', 'ask nothing: what no option answers has its default'),
  option('--force', 'replace files that are there, with their secrets'),
  option('--payment', 'then wait for the server, and follow a payment of one dollar'),
];
