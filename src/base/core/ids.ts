import { hash, randomFillSync, randomUUID } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** A pool of random bytes. A call of `randomFillSync` costs nearly the same for many bytes as for few. */
const pool = Buffer.allocUnsafe(4_096);
let taken = pool.length;

/** 48 bits of time, so that ids sort by creation, then 80 random bits, in Crockford's base 32. */
function timeOrdered(nowMs: number): string {
  let text = '';
  for (let rest = nowMs, i = 0; i < 10; i++) {
    text = ALPHABET[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  if (taken + 16 > pool.length) {
    randomFillSync(pool);
    taken = 0;
  }
  // Uses five bits of each byte.
  for (let i = 0; i < 16; i++) text += ALPHABET[pool[taken++]! & 31];
  return text;
}

/** The id of a receipt. It opens the payment page, so it must not be guessable. */
export const newReceiptId = (nowMs: number): string => `R-${timeOrdered(nowMs)}`;

/** A receipt id derived from a digest, for a request that may be repeated: the same digest gives the same id. */
export const receiptIdFor = (digestHex: string): string => `R-${lettersOf(digestHex)}`;

/** 130 bits of a digest. */
function lettersOf(digestHex: string): string {
  let bits = BigInt(`0x${digestHex}`);
  let text = '';
  for (let i = 0; i < 26; i++) {
    text = ALPHABET[Number(bits & 31n)] + text;
    bits >>= 5n;
  }
  return text;
}

/** A new id for any other record: `newId('item', now)` → `item_01j…`. */
export const newId = (prefix: string, nowMs: number): string => `${prefix}_${timeOrdered(nowMs)}`;

const digestOf = (content: unknown): string => hash('sha256', JSON.stringify(content), 'hex');

/** An id derived from what it names: the same content gives the same id again. */
export const idFor = (prefix: string, content: unknown): string => `${prefix}_${lettersOf(digestOf(content))}`;

/** As `idFor`, in the form of a random UUID. */
export function uuidFor(content: unknown): string {
  const digits = digestOf(content);
  const variant = '89ab'[Number.parseInt(digits[16]!, 16) % 4];
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}

/** A random UUID, for sessions and correlation ids. */
export const newUuid = (): string => randomUUID();
