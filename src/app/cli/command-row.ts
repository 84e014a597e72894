import { type Argument, InvalidArgumentError, Option } from 'commander';
import { parseWallet, type Wallet } from '../../base/core/wallet.ts';

/** A command of the command line. */
export interface CommandRow {
  /** Its name, and the arguments that need no more than a name. */
  readonly name: string;
  readonly does: string;
  readonly arguments?: readonly Argument[];
  readonly options?: readonly Option[];
  /** Whether `--json` makes it print exactly one JSON value. */
  readonly json?: true;
  readonly run?: (...args: unknown[]) => Promise<void>;
  /** It loads no package that could send anything by itself, and starts at once. */
  readonly light?: true;
  /** The commands below it. */
  readonly commands?: readonly CommandRow[];
}

/** Loads a command on its first use, because loading the whole server takes longer than most commands. */
export const lazily =
  <Verbs extends Record<Verb, (...args: never[]) => Promise<void>>, Verb extends string>(
    load: () => Promise<Verbs>,
    verb: Verb,
  ) =>
  async (...args: unknown[]): Promise<void> =>
    (await load())[verb](...(args as never[]));

/** An option. `parse` reads its text; it gets what an option that may be given again has gathered before. */
export const option = <Value>(flags: string, does: string, parse?: (text: string, before: Value) => Value): Option => {
  const made = new Option(flags, does);
  return parse ? made.argParser(parse) : made;
};
/** An option that must be given. */
export const required = <Value>(flags: string, does: string, parse?: (text: string, before: Value) => Value): Option =>
  option(flags, does, parse).makeOptionMandatory();

/** 0 selects a free port. */
export const port = (text: string): number => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65_535) throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return value;
};

/** Epoch ms. */
export const moment = (text: string): number => {
  const ms = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  throw new InvalidArgumentError('A time is a date and time in ISO 8601: 2026-11-22T04:00Z.');
};

/** Epoch ms, from the form of the API (ISO 8601 with its zone) or as it is. */
export const instant = (text: string): number => {
  const isTime = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const ms = isTime ? Date.parse(text) : /^\d{12,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  throw new InvalidArgumentError('It is a time to the millisecond: 2026-11-22T04:00:00.000Z or 1795320000000.');
};

/** An address in any letter case. */
export const wallet = (text: string): Wallet => {
  const parsed = parseWallet(text);
  if (parsed !== null) return parsed;
  throw new InvalidArgumentError('An address is 0x followed by 40 hex characters.');
};

/** An address that begins with https://. */
export const https = (text: string): string => {
  if (URL.canParse(text) && new URL(text).protocol === 'https:') return text;
  throw new InvalidArgumentError('An edge is checked at its public address: https://host.');
};

/** `host:port`. */
export const hostAndPort = (text: string): string => {
  if (/^.+:\d+$/.test(text)) return text;
  throw new InvalidArgumentError('The address to connect to is a host with a port: 192.0.2.1:443.');
};

/** The number of a block, or the id of a chain. */
export const blockNumber = (text: string): number => {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('A block is a whole number, for example 21000000.');
};

/** At most 99,999. */
export const wholeNumber = (text: string): number => {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is a whole number, for example 30.');
};

/** `name=value`, gathered by name. Times may be written in ISO 8601. */
export const addFilter = (text: string, before: Readonly<Record<string, string>>): Record<string, string> => {
  const [, name, value] = /^(\w+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('A filter has a name and a value: statuses=paid,completed.');
  const isTime = /^(?:created|paid)(?:From|To)$/.test(name) && !/^\d*$/.test(value);
  return { ...before, [name]: isTime ? String(moment(value)) : value };
};

/** Words that are separated by commas. */
export const commaList = (text: string): string[] => text.split(',').map((part) => part.trim());

/** Parses a recipient of a split from the command line, `0x…:9950`, and appends it to the previous ones. */
export function addRecipient(
  text: string,
  before: { address: string; sharesBps: number }[] = [],
): { address: string; sharesBps: number }[] {
  const match = /^(0x[0-9a-fA-F]{40}):(\d{1,5})$/.exec(text);
  if (!match)
    throw new InvalidArgumentError('A recipient is 0x followed by 40 hex characters, a colon and basis points.');
  return [...before, { address: match[1] as string, sharesBps: Number(match[2]) }];
}
