import { keccak256 as reference } from 'viem';
import { expect, test } from 'vitest';
import { keccak256 } from './receipt-address.ts';

/** What the sponge takes at once. */
const BLOCK = 136;

test('bytes of every length up to three blocks have the hash that viem gives them', () => {
  const bytes = Buffer.from(Array.from({ length: 3 * BLOCK + 1 }, (_, i) => (i * 37) % 251));
  for (let length = 0; length <= 3 * BLOCK; length++) {
    // A view into a longer buffer.
    const part = bytes.subarray(1, 1 + length);
    expect(`0x${keccak256(part).toString('hex')}`, String(length)).toBe(reference(part));
  }
});
