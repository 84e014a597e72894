import { describe, expect, test } from 'vitest';
import { arrival, arrived, facts, HOUR_MS, hintOf, paid, pending, price, transfer } from '../../test/facts.ts';
import { decideMatch, headAtCreation, isOlder, type MatchableReceipt, type MatchFacts } from './match.ts';

const signed = hintOf({ signed: true });
const unknown = { kind: 'unmatched', reason: 'unknown_amount' } as const;

describe('money at the address of a receipt', () => {
  test('counts in every amount, at the rate of its quote or else of its block', () => {
    const known = { transfer: { ...arrival, amount: '7' }, rate: '3' };
    const quoted = (usdPerUnit: string, expiresAt: number | null) =>
      decideMatch(arrived(pending, { ...known, price: { usdPerUnit, expiresAt } }));
    expect(quoted('2', 5_000)).toEqual({
      ...{ kind: 'credit', receipt: pending, usdPerUnit: '2', linkedBy: 'address', isLate: false },
    });
    expect(quoted('2', 4_999)).toMatchObject({ kind: 'credit', usdPerUnit: '3' });
    expect(decideMatch(arrived(pending, known))).toMatchObject({ kind: 'credit', usdPerUnit: '3' });
    expect(decideMatch(arrived(pending, { ...known, rate: null }))).toEqual({
      ...{ kind: 'unmatched', reason: 'no_rate', meantFor: ['R-1'] },
    });
  });

  test('is its receipt’s, whatever else is known of the transaction', () => {
    const other = { ...pending, id: 'R-2' };
    const known = { bound: other, asked: { receipt: other, price }, hints: [signed], claimed: other };
    expect(decideMatch(arrived(pending, known))).toMatchObject({ kind: 'credit', receipt: pending });
  });

  test('is a duplicate of its receipt once the receipt does not wait for it', () => {
    for (const receipt of [paid, null])
      expect(decideMatch(arrived(receipt))).toEqual({ kind: 'unmatched', reason: 'duplicate', meantFor: ['R-1'] });
  });

  test('in an unchosen token counts only if the receipt was quoted in it', () => {
    const known = { notChosen: 'other_token' } as const;
    expect(decideMatch(arrived(pending, known))).toEqual({
      ...{ kind: 'unmatched', reason: 'other_token', meantFor: ['R-1'] },
    });
    expect(decideMatch(arrived(pending, { ...known, price }))).toMatchObject({ kind: 'credit' });
  });

  test('may be in a block before the server knew the receipt: its address was unknown before it existed', () => {
    expect(decideMatch(arrived({ ...pending, createdBlock: 101 }))).toMatchObject({ kind: 'credit' });
  });
});

describe('money straight to a split', () => {
  test('of a transaction of the server pays the receipt that it was bound to', () => {
    const known = { hints: [signed], claimed: { ...pending, id: 'R-2' } };
    expect(decideMatch(facts({ ...known, bound: pending }))).toMatchObject({ receipt: pending, linkedBy: 'server' });
    expect(decideMatch(facts({ bound: paid }))).toMatchObject({ reason: 'duplicate' });
  });

  test('pays the one receipt that its sender has signed for', () => {
    const decide = (...hints: (typeof signed)[]) => decideMatch(facts({ hints, claimed: pending }));
    expect(decide(signed)).toMatchObject({ kind: 'credit', receipt: pending, linkedBy: 'signature' });
    expect(decide(signed, hintOf({ receiptId: 'R-2', signed: true }))).toMatchObject(unknown);
    expect(decide()).toMatchObject(unknown);
    expect(decideMatch(facts({ hints: [signed], claimed: paid }))).toMatchObject(unknown);
  });

  test('pays nothing by an unsigned hint, which proposes its receipt to the merchant', () => {
    const hints = [hintOf(), hintOf({ receiptId: 'R-2', status: 'completed' })];
    expect(decideMatch(facts({ hints }))).toEqual({ ...unknown, meantFor: ['R-1'] });
  });

  test('that version 0.1 asked for pays its receipt at the price of its quote, before what its sender has signed', () => {
    const asked = { receipt: pending, price: { usdPerUnit: '2', expiresAt: 5_000 } };
    const known = { hints: [signed], claimed: { ...pending, id: 'R-2' } };
    expect(decideMatch(facts({ ...known, asked }))).toMatchObject({ receipt: pending, usdPerUnit: '2' });
    expect(decideMatch(facts({ asked: { receipt: paid, price } }))).toEqual({
      ...{ kind: 'unmatched', reason: 'duplicate', meantFor: ['R-1'] },
    });
  });

  test('on a chain or in a token that the merchant did not choose pays only a receipt that was quoted in it', () => {
    const known = { notChosen: 'other_network', hints: [signed], claimed: pending } as const;
    expect(decideMatch(facts(known))).toEqual({ kind: 'unmatched', reason: 'other_network', meantFor: ['R-1'] });
    expect(decideMatch(facts({ ...known, price }))).toMatchObject({ kind: 'credit', linkedBy: 'signature' });
    expect(decideMatch(facts({ notChosen: 'other_token' }))).toMatchObject({ reason: 'other_token' });
  });

  test('is too old for a receipt or a split that was made later', () => {
    const later = { ...pending, createdBlock: 101 };
    expect(decideMatch(facts({ hints: [signed], claimed: later }))).toMatchObject({ reason: 'too_old' });
    expect(decideMatch(facts({ splitCreatedBlock: 101, bound: pending }))).toMatchObject({ reason: 'too_old' });
  });
});

test('a payment that lost its block stays the payment of its receipt in another block', () => {
  const lost = { ...transfer, receiptId: 'R-9', usd: '10', assignedBy: null };
  expect(decideMatch(facts({ lost, bound: pending }))).toEqual({ kind: 'relink', lost });
});

test('a transfer that is linked already has returned with its block, and one marked for refund pays nothing', () => {
  const linked = { ...transfer, receiptId: 'R-9' };
  expect(decideMatch(facts({ transfer: linked }))).toEqual({ kind: 'returned', receiptId: 'R-9' });
  expect(decideMatch(arrived(pending, { transfer: { ...arrival, refundMarkedAt: 1 } }))).toEqual({ kind: 'ignore' });
});

describe('money for a receipt that has ended', () => {
  const endsAt = (expiresAt: number): MatchableReceipt => ({ ...pending, expiresAt });
  const expired = (expiresAt: number): MatchableReceipt => ({
    ...endsAt(expiresAt),
    ...{ status: 'failed', closedAt: 5_500, failureCode: 'PORTAL_SESSION_EXPIRED' },
  });
  const voided: MatchableReceipt = { ...expired(9_000), failureCode: 'PORTAL_SESSION_CANCELLED' };
  const decide = (receipt: MatchableReceipt, known: Partial<MatchFacts<MatchableReceipt>> = {}) =>
    decideMatch(arrived(receipt, { lateHours: 1, ...known }));

  test('a block no later than the end is in time, also when it is read after the end', () => {
    expect(decide(expired(5_000), { lateHours: 0 })).toMatchObject({ kind: 'credit', isLate: false });
    expect(decide(endsAt(5_000), { lateHours: 0 })).toMatchObject({ kind: 'credit', isLate: false });
  });

  test('later money pays at the rate of its block, within the hours that the merchant allows', () => {
    const late = { ...arrival, blockTimeMs: 4_000 + HOUR_MS };
    const dear = { usdPerUnit: '2', expiresAt: null };
    for (const receipt of [expired(4_000), endsAt(4_000)]) {
      expect(decide(receipt, { price: dear, transfer: late })).toMatchObject({
        ...{ kind: 'credit', isLate: true, usdPerUnit: '1' },
      });
      expect(decide(receipt, { price: dear, transfer: late, rate: null })).toMatchObject({ reason: 'no_rate' });
      const over = { ...late, blockTimeMs: late.blockTimeMs + 1 };
      expect(decide(receipt, { price: dear, transfer: over })).toEqual({
        ...{ kind: 'unmatched', reason: 'late', meantFor: ['R-1'] },
      });
    }
    expect(decide(expired(4_999), { lateHours: 0 })).toMatchObject({ reason: 'late' });
  });

  test('the hours are read only if the receipt has ended', () => {
    expect(decide(endsAt(5_000), { lateHours: undefined })).toMatchObject({ kind: 'credit' });
    expect(decide(endsAt(4_999), { lateHours: undefined })).toEqual({ kind: 'need', fact: 'lateHours' });
  });

  test('a voided receipt takes no money, whatever links it', () => {
    const late = { kind: 'unmatched', reason: 'late', meantFor: ['R-1'] };
    expect(decide(voided, { lateHours: 720 })).toMatchObject(late);
    for (const known of [
      { bound: voided },
      { asked: { receipt: voided, price } },
      { hints: [signed], claimed: voided },
    ])
      expect(decideMatch(facts({ lateHours: 720, ...known }))).toMatchObject(late);
  });

  test('a receipt to which money is on its way takes it as in time until time ends it', () => {
    const kinds = [endsAt(1), expired(1)].map((one) => decide(one, { lateHours: 0, isHeldOpen: true }).kind);
    expect(kinds).toEqual(['credit', 'unmatched']);
  });
});

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
