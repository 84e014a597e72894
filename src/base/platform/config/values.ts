import { accessSync, constants } from 'node:fs';
import { isAddress } from 'viem';
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
  // Letters of both cases are a checksum (ERC-55): it finds a typing error, which money does not survive.
  const hasChecksum = /[a-f]/.test(raw) && /[A-F]/.test(raw);
  if (parsed && (!hasChecksum || isAddress(raw))) return parsed;
  const message = parsed ? 'must have the letters of its checksum: is a character wrong' : NO_WALLET;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});
const NO_WALLET = 'must be 0x followed by 40 hex characters';
const PRIVATE_KEY = /^0x[0-9a-fA-F]{64}$/;
const NO_PRIVATE_KEY = 'must be 0x followed by 64 hex characters';
/** Keys of secp256k1 are below its order. Everybody finds those that are small numbers. */
const [GUESSED_BELOW, ORDER] = [2n ** 64n, 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n];

/** What is wrong with the text of a private key; null if nothing is. */
function faultOfKey(raw: string): string | null {
  if (!PRIVATE_KEY.test(raw)) return NO_PRIVATE_KEY;
  const value = BigInt(raw);
  return value < GUESSED_BELOW || value >= ORDER ? 'must be a key that a wallet has made' : null;
}

/** Private keys, separated by commas. Throws if one is not valid, without its text. */
export function parsePrivateKeys(raw: string): readonly `0x${string}`[] {
  const keys = raw.split(',').map((key) => key.trim());
  const fault = keys.map(faultOfKey).find((problem) => problem !== null);
  if (fault) throw new Error(`each ${fault}`);
  return keys as `0x${string}`[];
}

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

export const privateKey = read((raw) => parsePrivateKey(raw));
function parsePrivateKey(raw: string): `0x${string}` {
  const fault = faultOfKey(raw);
  if (fault) throw new Error(fault);
  return raw as `0x${string}`;
}

/** Whether a file or folder can be read. */
export function canRead(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
