import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endOf, isPartPaid, isVoided } from '../../../sales/receipts/ended.ts';
import { isWaiting, RECEIPT } from '../../../sales/receipts/lifecycle.ts';
import { arrival, HOUR_MS, transfer } from '../../test/facts.ts';
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
const price = fc.option(
  fc.record({ usdPerUnit: fc.constant('2'), expiresAt: fc.option(fc.integer({ min: 4_000, max: 6_000 })) }),
);
const someFacts = fc.record({
  transfer: fc.constantFrom(transfer, arrival),
  rate: fc.option(fc.constant('1')),
  splitCreatedBlock: fc.option(fc.integer({ min: 90, max: 110 })),
  reorganizations: fc.constantFrom([], [{ fork: 95, head: 110 }]),
  lost: fc.constant(null),
  addressed: fc.option(receiptOf('R-1')),
  bound: fc.option(receiptOf('R-bound')),
  asked: fc.option(fc.record({ receipt: receiptOf('R-asked'), price })),
  hints: fc.array(
    fc.record({ receiptId: fc.constantFrom('R-claimed', 'R-other', 'R-asked'), status, signed: fc.boolean() }),
    { maxLength: 3 },
  ),
  claimed: fc.option(receiptOf('R-claimed')),
  price,
  notChosen: fc.constantFrom(null, 'other_network', 'other_token'),
  lateHours: fc.constantFrom(0, 1, 720),
  isHeldOpen: fc.boolean(),
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

test('money at an address is its receipt’s or no one’s, and unsigned hints change nothing for any money', () => {
  fc.assert(
    fc.property(someFacts, (known) => {
      const decision = decideMatch(known);
      if (known.transfer === arrival) {
        if (decision.kind === 'credit') expect(decision.receipt).toBe(known.addressed);
        if (decision.kind === 'unmatched' && decision.reason !== 'too_old') expect(decision.meantFor).toEqual(['R-1']);
      }
      const backed = decideMatch({ ...known, hints: known.hints.filter(({ signed }) => signed) });
      expect(backed.kind).toBe(decision.kind);
      if (decision.kind === 'credit') expect(backed).toEqual(decision);
    }),
    { numRuns: 2_000 },
  );
});

test('no voided receipt is credited, and late money only within the hours, at the rate of its block', () => {
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
