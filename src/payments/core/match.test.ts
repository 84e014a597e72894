import { describe, expect, test } from 'vitest';
import { arrival, facts, HOUR_MS, hintOf, paid, pending, quote, shared, transfer } from '../test/facts.ts';

import type { Hint } from './hint.ts';

import { decideMatch, type MatchableReceipt, type MatchFacts } from './match.ts';
import type { PaidQuote } from './weigh.ts';

test('the exact amount of a quote pays its receipt at the rate of the quote', () => {
  const dear = { ...quote, usdPerUnit: '2', expiresAt: 5_000 };
  expect(decideMatch(facts({ quoted: { quote: dear, receipt: pending } }))).toEqual({
    kind: 'credit',
    receipt: pending,
    usdPerUnit: '2',
    quote: dear,
    linkedBy: 'quote',
    isLate: false,
  });
});

test('after its quote has expired a transfer counts at the rate of its block, and is unmatched without one', () => {
  const expired = { ...quote, usdPerUnit: '2', expiresAt: 4_999 };
  const quoted = { quote: expired, receipt: pending };
  expect(decideMatch(facts({ quoted }))).toMatchObject({ kind: 'credit', usdPerUnit: '1' });
  expect(decideMatch(facts({ quoted, rate: null }))).toEqual({
    kind: 'unmatched',
    reason: 'no_rate',
    quoteId: 'quote_1',
    meantFor: [],
    asks: null,
  });
});

test('a second exact payment is a duplicate, and one older than the receipt or the split is too old', () => {
  const reasonOf = (known: Partial<MatchFacts<MatchableReceipt>>) => decideMatch(facts(known));
  expect(reasonOf({ quoted: { quote, receipt: paid } })).toMatchObject({ reason: 'duplicate', quoteId: 'quote_1' });
  expect(reasonOf({ quoted: { quote, receipt: { ...pending, createdBlock: 101 } } })).toMatchObject({
    reason: 'too_old',
    quoteId: 'quote_1',
  });
  expect(reasonOf({ splitCreatedBlock: 101, quoted: { quote, receipt: pending } })).toMatchObject({
    reason: 'too_old',
    quoteId: null,
  });
});

describe('an amount that an unpaid receipt held before', () => {
  const ambiguous = { kind: 'unmatched', reason: 'ambiguous', quoteId: 'quote_1', meantFor: ['R-1', 'R-0'] } as const;
  const decide = (known: Partial<MatchFacts<MatchableReceipt>> = {}) =>
    decideMatch(facts({ quoted: { quote: shared, receipt: pending }, ...known }));

  test('pays no one by time alone: its holder’s buyer is asked', () => {
    expect(decide()).toEqual({ ...ambiguous, asks: 'R-1' });
    const justAsked = { ...shared, createdAt: 5_000 };
    expect(decide({ quoted: { quote: justAsked, receipt: pending } })).toEqual({ ...ambiguous, asks: 'R-1' });
  });

  test('pays its holder by an unsigned hint, however many receipts wait, and not if an earlier holder hints too', () => {
    expect(decide({ hints: [hintOf()] })).toMatchObject({ kind: 'credit', receipt: pending, linkedBy: 'quote' });
    const rival = hintOf({ receiptId: 'R-0', status: 'failed' });
    expect(decide({ hints: [hintOf(), rival] })).toMatchObject(ambiguous);
    expect(decide({ hints: [rival] })).toMatchObject(ambiguous);
    expect(decide({ hints: [hintOf({ receiptId: 'R-7' })] })).toMatchObject(ambiguous);
  });

  test('is not asked for of a holder who is paid, and was not meant for one who was asked for it later', () => {
    expect(decide({ quoted: { quote: shared, receipt: paid } })).toEqual({ ...ambiguous, asks: null });
    const late = { quote: { ...shared, createdAt: 20_001 }, receipt: pending };
    expect(decide({ quoted: late, hints: [hintOf()] })).toEqual({ ...ambiguous, meantFor: ['R-0'], asks: null });
  });
});

test('the sender or the card provider says which receipt an amount pays that several have held', () => {
  const earlier = { ...pending, id: 'R-0' };
  const decide = (hint: Partial<Hint>, hinted: MatchableReceipt) =>
    decideMatch(
      facts({
        quoted: { quote: shared, receipt: pending },
        hints: [hintOf({ receiptId: hinted.id, ...hint })],
        ...{ hinted, hintedQuote: null },
      }),
    );
  for (const hinted of [earlier, pending]) {
    expect(decide({ signed: true }, hinted)).toMatchObject({ kind: 'credit', receipt: hinted });
    expect(decide({ vouched: true }, hinted)).toMatchObject({ kind: 'credit', receipt: hinted });
  }
  expect(decide({ signed: true }, { ...earlier, status: 'paid' })).toMatchObject({
    kind: 'unmatched',
    quoteId: 'quote_1',
  });
});

test('a transaction of the server pays the receipt that it was bound to, even if its amount equals another quote', () => {
  const other = { quote, receipt: { ...pending, id: 'R-2' } };
  expect(decideMatch(facts({ bound: pending, quoted: other }))).toMatchObject({ kind: 'credit', receipt: pending });
  expect(decideMatch(facts({ bound: paid, quoted: other }))).toMatchObject({ reason: 'duplicate' });
});

test('a payment that lost its block stays the payment of its receipt in another block', () => {
  const lost = { ...transfer, receiptId: 'R-9', usd: '10', askedUsd: null, exact: false, assignedBy: null };
  expect(decideMatch(facts({ lost, bound: pending }))).toEqual({ kind: 'relink', lost });
});

test('a transfer that is linked already has returned with its block, and one marked for refund pays nothing', () => {
  const linked = { ...transfer, receiptId: 'R-9' };
  expect(decideMatch(facts({ transfer: linked }))).toEqual({ kind: 'returned', receiptId: 'R-9' });
  const marked = { ...transfer, refundMarkedAt: 1 };
  expect(decideMatch(facts({ transfer: marked, quoted: { quote, receipt: pending } }))).toEqual({ kind: 'ignore' });
});

test('without a quote, a hint of the provider counts before one of the sender, and two of a kind count for neither', () => {
  const hinted = { hinted: pending, hintedQuote: quote };
  const decide = (...hints: Hint[]) => decideMatch(facts({ hints, ...hinted }));
  const elsewhere = hintOf({ receiptId: 'R-2', signed: true });
  expect(decide(hintOf({ vouched: true }), elsewhere)).toMatchObject({ receipt: pending, linkedBy: 'card' });
  expect(decide(hintOf({ signed: true }))).toMatchObject({ receipt: pending, linkedBy: 'signature' });
  expect(decide(hintOf({ signed: true }), elsewhere)).toMatchObject({ reason: 'unknown_amount' });
  expect(decide()).toMatchObject({ reason: 'unknown_amount' });
});

test('of several receipts that the provider vouches for, the delivered amount decides', () => {
  const hints = [
    hintOf({ receiptId: 'R-2', vouched: true, vouchedAmount: '5' }),
    hintOf({ vouched: true, vouchedAmount: transfer.amount }),
  ];
  expect(decideMatch(facts({ hints }))).toEqual({ kind: 'need', fact: 'hinted', receiptId: 'R-1' });
});

test('an unsigned hint pays nothing, also if only its receipt waits, and proposes its receipt to the merchant', () => {
  const hints = [hintOf(), hintOf({ receiptId: 'R-2', status: 'completed' })];
  expect(decideMatch(facts({ hints, notChosen: null, quotedElsewhere: ['R-3'] }))).toEqual({
    kind: 'unmatched',
    reason: 'unknown_amount',
    quoteId: null,
    meantFor: ['R-1', 'R-3'],
    asks: null,
  });
});

describe('money for a receipt that has ended', () => {
  const endsAt = (expiresAt: number): MatchableReceipt => ({ ...pending, expiresAt });
  const expired = (expiresAt: number): MatchableReceipt => ({
    ...endsAt(expiresAt),
    ...{ status: 'failed', closedAt: 5_500, failureCode: 'PORTAL_SESSION_EXPIRED' },
  });
  const voided: MatchableReceipt = { ...expired(9_000), failureCode: 'PORTAL_SESSION_CANCELLED' };
  const decide = (receipt: MatchableReceipt, known: Partial<MatchFacts<MatchableReceipt>> = {}) =>
    decideMatch(facts({ quoted: { quote, receipt }, lateHours: 1, ...known }));

  test('a block no later than the end is in time, also when it is read after the end', () => {
    expect(decide(expired(5_000), { lateHours: 0 })).toMatchObject({ kind: 'credit', isLate: false });
    expect(decide(endsAt(5_000), { lateHours: 0 })).toMatchObject({ kind: 'credit', isLate: false });
  });

  test('later money pays at the rate of its block, within the hours that the merchant allows', () => {
    const late = { ...transfer, blockTimeMs: 4_000 + HOUR_MS };
    const dear = { ...quote, usdPerUnit: '2' };
    for (const receipt of [expired(4_000), endsAt(4_000)]) {
      const quoted = { quote: dear, receipt };
      expect(decide(receipt, { quoted, transfer: late })).toMatchObject({
        ...{ kind: 'credit', isLate: true, usdPerUnit: '1' },
      });
      expect(decide(receipt, { quoted, transfer: late, rate: null })).toMatchObject({ reason: 'no_rate' });
      const over = { ...late, blockTimeMs: late.blockTimeMs + 1 };
      expect(decide(receipt, { quoted, transfer: over })).toEqual({
        ...{ kind: 'unmatched', reason: 'late', quoteId: 'quote_1', meantFor: ['R-1'], asks: null },
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
    expect(decide(voided, { quoted: null, bound: voided })).toMatchObject(late);
    for (const hint of [hintOf({ signed: true }), hintOf({ vouched: true })]) {
      const known = { quoted: null, hints: [hint], hinted: voided, hintedQuote: null };
      expect(decide(voided, known)).toMatchObject(late);
    }
  });

  test('a receipt to which money is on its way takes it as in time until time ends it', () => {
    const kinds = [endsAt(1), expired(1)].map((one) => decide(one, { lateHours: 0, isHeldOpen: true }).kind);
    expect(kinds).toEqual(['credit', 'unmatched']);
  });
});

test('a transfer that was only signed pays the receipt of its signature, also with the amount of another quote', () => {
  const other = { ...pending, id: 'R-2' };
  const known = facts({
    authorizedFor: 'R-2',
    authorized: { receipt: other, quote },
    quoted: { quote, receipt: pending },
  });
  expect(decideMatch(known)).toMatchObject({ kind: 'credit', receipt: other, linkedBy: 'authorization' });
  expect(decideMatch({ ...known, authorized: { receipt: { ...paid, id: 'R-2' }, quote: null } })).toMatchObject({
    kind: 'unmatched',
    reason: 'duplicate',
    meantFor: ['R-2'],
  });
  // Its receipt was deleted.
  expect(decideMatch({ ...known, authorized: { receipt: null, quote: null } })).toMatchObject({ receipt: pending });
});

describe('money on a chain that the merchant did not choose', () => {
  const signed = hintOf({ signed: true });

  test('stays unmatched with its reason, also if its sender has signed for a receipt, which it names', () => {
    expect(decideMatch(facts({ notChosen: 'other_network', quotedElsewhere: ['R-1'] }))).toMatchObject({
      ...{ kind: 'unmatched', reason: 'other_network', meantFor: ['R-1'] },
    });
    const known = facts({ notChosen: 'other_token', hints: [signed], hinted: pending, hintedQuote: null });
    expect(decideMatch(known)).toMatchObject({ kind: 'unmatched', reason: 'other_token', meantFor: ['R-1'] });
    expect(decideMatch({ ...known, notChosen: null })).toMatchObject({ kind: 'credit', receipt: pending });
  });

  test('still pays the receipt that was quoted there before', () => {
    const there = facts({ notChosen: 'other_network', quoted: { quote, receipt: pending } });
    expect(decideMatch(there)).toMatchObject({ kind: 'credit', receipt: pending });
    const part = facts({ notChosen: 'other_network', hints: [signed], hinted: pending, hintedQuote: quote });
    expect(decideMatch(part)).toMatchObject({ kind: 'credit', receipt: pending, linkedBy: 'signature' });
  });
});

test('money at the address of a receipt counts in every amount, at the rate of its quote or else of its block', () => {
  const known = facts({
    transfer: { ...arrival, amount: '7' },
    rate: '3',
    addressed: { ...pending, id: 'R-addressed' },
  });
  const valid = { ...quote, expiresAt: transfer.blockTimeMs };
  const rateOf = (addressedQuote: PaidQuote | null) => decideMatch({ ...known, addressedQuote });
  expect(rateOf(valid)).toMatchObject({ kind: 'credit', usdPerUnit: '1', linkedBy: 'address' });
  expect(rateOf({ ...valid, expiresAt: transfer.blockTimeMs - 1 })).toMatchObject({ kind: 'credit', usdPerUnit: '3' });
  expect(rateOf(null)).toMatchObject({ kind: 'credit', usdPerUnit: '3' });
  expect(decideMatch({ ...known, addressedQuote: null, rate: null })).toMatchObject({ reason: 'no_rate' });
});

test('money at the address of a receipt that does not wait for it is a duplicate of this receipt', () => {
  const known = facts({
    transfer: arrival,
    addressed: { ...paid, id: 'R-addressed' },
    quoted: { quote, receipt: pending },
  });
  expect(decideMatch(known)).toMatchObject({ kind: 'unmatched', reason: 'duplicate', meantFor: ['R-addressed'] });
});

test('an unchosen token at the address of a receipt counts only if the receipt was quoted in it', () => {
  const known = facts({ transfer: arrival, addressed: { ...pending, id: 'R-addressed' }, notChosen: 'other_token' });
  expect(decideMatch({ ...known, addressedQuote: null })).toMatchObject({ kind: 'unmatched', reason: 'other_token' });
  expect(decideMatch({ ...known, addressedQuote: quote })).toMatchObject({ kind: 'credit' });
});
