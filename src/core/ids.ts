import { randomFillSync, randomUUID } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Random bytes, drawn many at once: asking for a few costs as much as asking for many. */
const pool = Buffer.allocUnsafe(4_096);
let taken = pool.length;

/** Time first (48 bits, so that ids sort as they are made), then 80 random bits, in Crockford's base 32. */
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
  // Five bits of each byte.
  for (let i = 0; i < 16; i++) text += ALPHABET[pool[taken++]! & 31];
  return text;
}

/** The id of an order's receipt. It opens the portal page, so it must not be guessable. */
export const newReceiptId = (nowMs: number): string => `R-${timeOrdered(nowMs)}`;

/** The same for a request that may come again: one secret text, one id. */
export function receiptIdFor(digestHex: string): string {
  let bits = BigInt(`0x${digestHex}`);
  let text = '';
  for (let i = 0; i < 26; i++) {
    text = ALPHABET[Number(bits & 31n)] + text;
    bits >>= 5n;
  }
  return `R-${text}`;
}

/** An id for any other record: `newId('item', now)` → `item_01j…`. */
export const newId = (prefix: string, nowMs: number): string => `${prefix}_${timeOrdered(nowMs)}`;

/** A random UUID, for deliveries and correlation. */
export const newUuid = (): string => randomUUID();
