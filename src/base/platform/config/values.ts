import { accessSync, constants } from 'node:fs';
import { z } from 'zod';
import { parseWallet } from '../../core/wallet.ts';

/**
 * One environment variable: its parser, its meaning and a valid example. The README's table is generated from these.
 */
export interface Variable<T = unknown> {
  readonly read: z.ZodType<T>;
  readonly doc: string;
  readonly example: string;
  /** The default, in words. */
  readonly unset: string;
}

/** Describes a variable. `unset` is its default in words. */
export const variable = <T>(read: z.ZodType<T>, unset: string, example: string, doc: string): Variable<T> => ({
  read,
  doc,
  example,
  unset,
});

/* The parsers of single values of the configuration. Their messages complete the sentence "VARIABLE: …". */

export const text = z.string().trim().min(1, 'must not be empty');
/** A whole number; both limits are included. */
export const integer = (least: number, most: number) =>
  z.string().transform((raw, context) => {
    const value = Number(raw);
    if (/^\d+$/.test(raw) && value >= least && value <= most) return value;
    context.addIssue({ code: 'custom', message: `must be a whole number from ${least} to ${most}` });
    return z.NEVER;
  });
/** A decimal number; both limits are included. */
export const decimal = (least: number, most: number) =>
  z.string().transform((raw, context) => {
    const value = Number(raw);
    if (/^\d+(\.\d+)?$/.test(raw) && value >= least && value <= most) return value;
    context.addIssue({ code: 'custom', message: `must be a number from ${least} to ${most}` });
    return z.NEVER;
  });
/** One of these words. */
export const choice = <const T extends readonly string[]>(...options: T) =>
  z.enum(options, `must be ${options.slice(0, -1).join(', ')} or ${options.at(-1)}`);
export const flag = choice('1', '0', 'true', 'false').transform((raw) => raw === '1' || raw === 'true');
/** A URL with one of these protocols, as in `https:`. */
export const url = (...protocols: string[]) =>
  text.refine((raw) => URL.canParse(raw) && protocols.includes(new URL(raw).protocol), {
    error: `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });
export const file = text.refine(canRead, 'must name a file that can be read');
export const wallet = text.transform((raw, context) => {
  const parsed = parseWallet(raw);
  if (parsed) return parsed;
  context.addIssue({ code: 'custom', message: 'must be 0x followed by 40 hex characters' });
  return z.NEVER;
});
const PRIVATE_KEY = /^0x[0-9a-fA-F]{64}$/;
const NO_PRIVATE_KEY = 'must be 0x followed by 64 hex characters';

/** Private keys, separated by commas. Throws if one is not valid, without its text. */
export function parsePrivateKeys(raw: string): readonly `0x${string}`[] {
  const keys = raw.split(',').map((key) => key.trim());
  if (!keys.every((key): key is `0x${string}` => PRIVATE_KEY.test(key))) throw new Error(`each ${NO_PRIVATE_KEY}`);
  return keys;
}

export const privateKey = text.regex(PRIVATE_KEY, NO_PRIVATE_KEY).transform((raw) => raw as `0x${string}`);
/** A value that `parse` reads. The message of an error that it throws completes the sentence. */
export const read = <T>(parse: (raw: string) => T) =>
  text.transform((raw, context) => {
    try {
      return parse(raw);
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
      return z.NEVER;
    }
  });

/** Whether a file or folder can be read. */
export function canRead(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
