import { randomFillSync, randomUUID } from 'node:crypto';

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
export function receiptIdFor(digestHex: string): string {
  let bits = BigInt(`0x${digestHex}`);
  let text = '';
  for (let i = 0; i < 26; i++) {
    text = ALPHABET[Number(bits & 31n)] + text;
    bits >>= 5n;
  }
  return `R-${text}`;
}

/** A new id for any other record: `newId('item', now)` → `item_01j…`. */
export const newId = (prefix: string, nowMs: number): string => `${prefix}_${timeOrdered(nowMs)}`;

/** A random UUID, for deliveries and correlation ids. */
export const newUuid = (): string => randomUUID();
