import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Wallet } from '../core/wallet.ts';
import { dueAt, owedFor, releaseTransaction } from './splitter.ts';
import {
  arrivalsAt,
  balanceOf,
  balancesOf,
  collect,
  hasCode,
  newReceipts,
  newSplit,
  newWallet,
  pay,
  STRANGER,
  startReceipts,
  stopReceipts,
  sweepOf,
  sweptFrom,
  transact,
  usdc,
} from './test/receipt-addresses.ts';

beforeAll(startReceipts);
afterAll(stopReceipts);

const RECEIPTS = 5;
const SHARES = [6_667, 3_283, 50];
const PAYEES = SHARES.length;

const index = fc.nat(RECEIPTS - 1);
const amount = fc.bigInt({ min: 1n, max: 10n ** 9n });
const some = fc.subarray(Array.from({ length: RECEIPTS }, (_, i) => i));
const payees = fc.subarray(Array.from({ length: PAYEES }, (_, i) => i));

/** What buyers, the server and strangers do, in any order. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('pay' as const), index, amount }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pay the split' as const), amount }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('collect' as const), some, payees }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sweep' as const), index }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('release' as const), payee: fc.nat(PAYEES - 1) }) },
);

const GAS = 500_000n;

test.each(['coins', 'a token'] as const)(
  'every payee gets exactly its share of %s, in whatever order accounts collect, sweep and release',
  async (name) => {
    const token: Wallet | null = name === 'coins' ? null : usdc;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 60 }), async (steps) => {
        const split = await newSplit({ payees: SHARES.map(newWallet), shares: SHARES });
        const receipts = newReceipts(split.address, RECEIPTS);
        const paid = receipts.map(() => 0n);
        let direct = 0n;
        for (const one of steps) {
          if (one.kind === 'pay') {
            await pay(receipts[one.index]!.address, token, one.amount);
            paid[one.index]! += one.amount;
          } else if (one.kind === 'pay the split') {
            await pay(split.address, token, one.amount);
            direct += one.amount;
          } else if (one.kind === 'collect') {
            const chosen = one.some.map((i) => receipts[i]!);
            await collect({ ...split, payees: one.payees.map((i) => split.payees[i]!) }, token, chosen);
          } else if (one.kind === 'sweep') {
            const { address } = receipts[one.index]!;
            if (await hasCode(address)) await transact(sweepOf(address, token), { by: STRANGER });
          } else {
            const release = releaseTransaction(split.address, token, split.payees[one.payee]!);
            // It reverts if nothing is due.
            await transact(release, { by: STRANGER, gas: GAS });
          }
        }
        await collect(split, token, receipts);

        // What an address has received is what it has swept, and what the split has received is the sum.
        const swept = await Promise.all(receipts.map(({ address }) => sweptFrom(address)));
        expect(swept.map((all) => all.reduce((sum, [, one]) => sum + one, 0n))).toEqual(paid);
        expect(await balancesOf(receipts, token)).toEqual(receipts.map(() => 0n));
        const arrivals = await arrivalsAt(split.address, token);
        const total = paid.reduce((sum, one) => sum + one, direct);
        expect(arrivals.reduce((sum, one) => sum + one, 0n)).toBe(total);

        // The shares of the arrivals in their order are what each payee has.
        const parts = split.recipients.map(({ sharesBps }) => {
          let received = 0n;
          let owed = 0n;
          for (const one of arrivals) {
            owed += owedFor(received, received + one, sharesBps, 10_000);
            received += one;
          }
          return owed;
        });
        expect(parts).toEqual(SHARES.map((share) => dueAt(total, share, 10_000)));
        expect(await balancesOf(split.recipients, token)).toEqual(parts);
        expect(await balanceOf(split.address, token)).toBe(parts.reduce((left, part) => left - part, total));
      }),
      { numRuns: 5, seed: 37 },
    );
  },
);
