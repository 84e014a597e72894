import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Wallet } from '../../core/wallet.ts';
import { endOf, isPartPaid, isVoided } from '../../receipts/ended.ts';
import { isWaiting, RECEIPT } from '../../receipts/lifecycle.ts';
import type { TransferRow } from '../transfer-row.ts';
import type { Hint } from './hint.ts';
import type { Holding } from './holder.ts';
import { decideMatch, type MatchableReceipt, type MatchFacts } from './match.ts';
import type { PaidQuote } from './weigh.ts';

const wallet = (digit: string) => `0x${digit.repeat(40)}` as Wallet;
const hash = (digit: string) => `0x${digit.repeat(64)}` as const;

const transfer: TransferRow = {
  chainId: 1,
  blockHash: hash('a'),
  transactionHash: hash('b'),
  logIndex: 0,
  blockNumber: 100,
  blockTimeMs: 5_000,
  token: 'USDC',
  sender: wallet('1'),
  payTo: wallet('2'),
  amount: '10001234',
  confirmedAt: null,
  merchant: wallet('3'),
  receiptId: null,
  quoteId: null,
  unmatchedReason: null,
  refundMarkedAt: null,
  seenAt: 6_000,
};
const HOUR_MS = 3_600_000;
const unshared: Holding = { earlier: [], createdAt: 1_000 };
const quote: PaidQuote & Holding = {
  ...{ id: 'quote_1', amount: '10001234', usd: '10', usdPerUnit: '1', expiresAt: null },
  ...unshared,
};
/** An amount that R-0 held before. */
const shared = { ...quote, earlier: ['R-0'] };
const pending: MatchableReceipt = { id: 'R-1', status: 'pending', createdBlock: 90, createdChainId: transfer.chainId };
const paid: MatchableReceipt = { ...pending, status: 'paid' };
const hintOf = (more: Partial<Hint> = {}): Hint => ({
  receiptId: 'R-1',
  status: 'pending',
  vouched: false,
  vouchedAmount: null,
  signed: false,
  ...more,
});

/** Facts of a transfer that nothing but the given ones says anything about. */
const facts = (known: Partial<MatchFacts<MatchableReceipt>> = {}): MatchFacts<MatchableReceipt> => ({
  transfer,
  rate: '1',
  splitCreatedBlock: 50,
  ...{ reorganizations: [], lost: null, bound: null, hints: [], isHeldOpen: false },
  quoted: null,
  notChosen: null,
  quotedElsewhere: [],
  ...known,
});

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

const status = fc.constantFrom(...RECEIPT.statuses);
const receiptOf = (id: string) =>
  fc.record({
    id: fc.constant(id),
    status,
    createdBlock: fc.option(fc.integer({ min: 90, max: 110 })),
    createdChainId: fc.constant(transfer.chainId),
    expiresAt: fc.option(fc.constantFrom(4_000, 5_000, 6_000, 5_000 - HOUR_MS, 4_999 - HOUR_MS)),
    closedAt: fc.option(fc.constant(5_500)),
    failureCode: fc.constantFrom(null, 'PORTAL_SESSION_EXPIRED', 'PORTAL_SESSION_CANCELLED'),
    transactionHash: fc.option(fc.constant('0x1' as const)),
  });
const someFacts = fc.record({
  transfer: fc.constant(transfer),
  rate: fc.option(fc.constant('1')),
  splitCreatedBlock: fc.option(fc.integer({ min: 90, max: 110 })),
  reorganizations: fc.constantFrom([], [{ fork: 95, head: 110 }]),
  lost: fc.constant(null),
  bound: fc.option(receiptOf('R-bound')),
  authorizedFor: fc.option(fc.constant('R-authorized')),
  authorized: fc.record({ receipt: fc.option(receiptOf('R-authorized')), quote: fc.option(fc.constant(quote)) }),
  quoted: fc.option(
    fc.record({
      quote: fc.record({
        id: fc.constant('quote_1'),
        amount: fc.constantFrom('10001234', '10000000'),
        usd: fc.constant('10'),
        usdPerUnit: fc.constant('2'),
        expiresAt: fc.option(fc.integer({ min: 4_000, max: 6_000 })),
        earlier: fc.constantFrom<string[]>([], ['R-0']),
        createdAt: fc.constantFrom(4_000, 20_001, -3_600_000),
      }),
      receipt: fc.option(receiptOf('R-quoted')),
    }),
  ),
  notChosen: fc.constantFrom(null, 'other_network', 'other_token'),
  quotedElsewhere: fc.constantFrom<string[]>([], ['R-elsewhere']),
  lateHours: fc.constantFrom(0, 1, 720),
  hints: fc.array(
    fc.record({
      receiptId: fc.constantFrom('R-hinted', 'R-other', 'R-quoted', 'R-0'),
      status,
      vouched: fc.boolean(),
      vouchedAmount: fc.option(fc.constantFrom('10001234', '7')),
      signed: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  isHeldOpen: fc.boolean(),
  hinted: fc.option(receiptOf('R-hinted')),
  hintedQuote: fc.option(fc.constant(quote)),
});

test('only a receipt that waits for money is credited, whatever is known', () => {
  fc.assert(
    fc.property(someFacts, (known) => {
      const decision = decideMatch(known);
      expect(decision.kind).not.toBe('need');
      if (decision.kind === 'credit') expect(isWaiting(decision.receipt)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test('an amount that an unpaid receipt held before is never credited without a hint of its holder, or one with backing', () => {
  fc.assert(
    fc.property(someFacts, (known) => {
      const decision = decideMatch(known);
      if (decision.kind !== 'credit' || !known.quoted?.quote.earlier.length) return;
      if (decision.linkedBy === 'server' || decision.linkedBy === 'authorization') return;
      const isClaimed = known.hints.some(({ receiptId }) => receiptId === decision.receipt.id);
      const isBacked = known.hints.some(({ signed, vouched }) => signed || vouched);
      expect(decision.linkedBy === 'quote' ? isClaimed : isBacked).toBe(true);
    }),
    { numRuns: 4_000 },
  );
});

test('a receipt that was voided, or ended longer ago than the merchant allows, is never credited', () => {
  fc.assert(
    fc.property(someFacts, (known) => {
      const decision = decideMatch(known);
      if (decision.kind !== 'credit') return;
      const { receipt, isLate, linkedBy } = decision;
      expect(isVoided(receipt)).toBe(false);
      const isHeld = known.isHeldOpen && receipt.closedAt === null;
      const end = linkedBy === 'server' || isHeld ? null : endOf(receipt, 0);
      expect(isLate).toBe(end !== null && end < transfer.blockTimeMs && !isPartPaid(receipt));
      if (end !== null) expect(transfer.blockTimeMs).toBeLessThanOrEqual(end + known.lateHours * HOUR_MS);
      if (isLate) expect(decision.usdPerUnit).toBe(known.rate);
    }),
    { numRuns: 2_000 },
  );
});

test('facts read one after the other lead to the same decision as all facts at once', () => {
  fc.assert(
    fc.property(someFacts, (known) => {
      let some: MatchFacts<MatchableReceipt> = {
        transfer: known.transfer,
        rate: known.rate,
        splitCreatedBlock: known.splitCreatedBlock,
        authorizedFor: known.authorizedFor,
      };
      let decision = decideMatch(some);
      while (decision.kind === 'need') {
        some = { ...some, [decision.fact]: known[decision.fact] };
        decision = decideMatch(some);
      }
      expect(decision).toEqual(decideMatch(known));
    }),
    { numRuns: 2_000 },
  );
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
