import { randomBytes, randomUUID } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Time first (48 bits, so that ids sort as they are made), then 80 random bits, in Crockford's base 32. */
function timeOrdered(nowMs: number): string {
  let bits = (BigInt(nowMs) << 80n) | BigInt(`0x${randomBytes(10).toString('hex')}`);
  let text = '';
  for (let i = 0; i < 26; i++) {
    text = ALPHABET[Number(bits & 31n)] + text;
    bits >>= 5n;
  }
  return text;
}

/** The id of an order's receipt. It opens the portal page, so it must not be guessable. */
export const newReceiptId = (nowMs: number): string => `R-${timeOrdered(nowMs)}`;

/** An id for any other record: `newId('item', now)` → `item_01j…`. */
export const newId = (prefix: string, nowMs: number): string => `${prefix}_${timeOrdered(nowMs)}`;

/** A random UUID, for deliveries and correlation. */
export const newUuid = (): string => randomUUID();
