import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endOf, isPartPaid, isVoided } from '../../receipts/ended.ts';
import { isWaiting, RECEIPT } from '../../receipts/lifecycle.ts';
import { arrival, HOUR_MS, quote, transfer } from '../test/facts.ts';
import { decideMatch, type MatchableReceipt, type MatchFacts } from './match.ts';

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
    transactionTimestamp: fc.option(fc.constant(1_000)),
  });
const someFacts = fc.record({
  transfer: fc.constantFrom(transfer, arrival),
  addressed: fc.option(receiptOf('R-addressed')),
  addressedQuote: fc.option(fc.constant(quote)),
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
      if (['address', 'server', 'authorization'].includes(decision.linkedBy)) return;
      const isClaimed = known.hints.some(({ receiptId }) => receiptId === decision.receipt.id);
      const isBacked = known.hints.some(({ signed, vouched }) => signed || vouched);
      expect(decision.linkedBy === 'quote' ? isClaimed : isBacked).toBe(true);
    }),
    { numRuns: 4_000 },
  );
});

test('money at the address of a receipt is that receipt’s alone, whatever else is known', () => {
  fc.assert(
    fc.property(someFacts, (known) => {
      const decision = decideMatch({ ...known, transfer: arrival, splitCreatedBlock: null });
      if (decision.kind === 'credit') expect([decision.receipt.id, decision.quote]).toEqual(['R-addressed', null]);
      else expect(decision).toMatchObject({ kind: 'unmatched', meantFor: ['R-addressed'], asks: null });
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
