import { describe, expect, test } from 'vitest';
import { headAtCreation, isOlder } from './age.ts';

test('each chain has its own head, and one that was not known when the receipt was created has none', () => {
  const receipt = { createdChainId: 8453, createdBlock: 7, createdHeads: { 1: 101 } };
  expect([8453, 1, 10].map((chainId) => headAtCreation(receipt, chainId))).toEqual([7, 101, null]);
  expect(headAtCreation({ ...receipt, createdBlock: null, createdHeads: null }, 8453)).toBeNull();
});

describe('a block below a recorded head', () => {
  test('is older, and the one at its height is not', () => {
    expect(isOlder(107, 108, [])).toBe(true);
    expect(isOlder(108, 108, undefined)).toBe(false);
    expect(isOlder(1, null, undefined)).toBe(false);
  });

  test('depends on the reorganizations', () => {
    expect(isOlder(107, 108, undefined)).toBeUndefined();
  });

  test('is not older if it came after the fork of a branch that the head may have been on', () => {
    expect(isOlder(100, 108, [{ fork: 99, head: 108 }])).toBe(false);
    expect(isOlder(100, 108, [{ fork: 99, head: 120 }])).toBe(false);
  });

  test('is older if it was there before the fork', () => {
    expect(isOlder(100, 108, [{ fork: 101, head: 108 }])).toBe(true);
  });

  test('is older if the head was not among the replaced blocks', () => {
    expect(isOlder(100, 108, [{ fork: 99, head: 107 }])).toBe(true);
    expect(isOlder(100, 108, [{ fork: 108, head: 120 }])).toBe(true);
  });

  test('is compared with the lowest fork of reorganizations that followed each other', () => {
    const second = { fork: 95, head: 104 };
    expect(isOlder(100, 108, [second, { fork: 103, head: 108 }])).toBe(false);
    expect(isOlder(100, 108, [second, { fork: 105, head: 108 }])).toBe(true);
  });
});
