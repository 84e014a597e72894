import { z } from 'zod';
import { fault, shownAs } from '../../../base/core/input.ts';
import { identifier } from '../../../base/core/text.ts';
import { parseWallet, WALLET_PATTERN, type Wallet } from '../../../base/core/wallet.ts';

/** Whether a payout is with its recipient. */
export const PAYOUT_STATES = {
  waiting: 'The recipient does not have it yet; `waitsFor` says why.',
  released: 'The chain shows that the recipient has it.',
} as const;

export type PayoutState = keyof typeof PAYOUT_STATES;

/** Conditions on payouts; all that are given must hold. Times in epoch ms; both ends are included. */
export interface PayoutFilter {
  readonly recipient?: Wallet | null | undefined;
  readonly state?: PayoutState | null | undefined;
  readonly receiptId?: string | null | undefined;
  readonly createdFrom?: number | null | undefined;
  readonly createdTo?: number | null | undefined;
}

/** A value that may be absent: null and, in a URL, the empty string count as absent. */
const parameter = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === '' || value === null ? undefined : value), schema.optional());

const WALLET_WANTED = 'must be 0x followed by 40 hex characters';
const TIME_WANTED = 'must be a time in epoch milliseconds';

const time = (about: string) =>
  shownAs(
    parameter(
      z.union([z.number(), z.string()], { error: TIME_WANTED }).transform((value, ctx) => {
        const ms = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
        return typeof ms === 'number' && Number.isSafeInteger(ms) && ms >= 0 ? ms : fault(ctx, TIME_WANTED);
      }),
    ),
    { type: 'integer', minimum: 0, examples: [1_763_800_000_000] },
  ).describe(about);

/** The filter of payouts, for GraphQL and for the query of `GET /api/payouts`. */
export const payoutFilter = z.object({
  recipient: shownAs(
    parameter(z.unknown().transform((value, ctx) => parseWallet(value) ?? fault(ctx, WALLET_WANTED))),
    { type: 'string', pattern: WALLET_PATTERN, examples: [`0x90f79bf6${'e'.repeat(32)}`] },
  ).describe('Only those to this wallet.'),
  state: parameter(
    z.enum(Object.keys(PAYOUT_STATES) as [PayoutState, ...PayoutState[]], {
      error: `must be one of ${Object.keys(PAYOUT_STATES).join(', ')}`,
    }),
  ).describe('Only those in this state.'),
  receiptId: parameter(identifier).describe('Only those of this receipt.'),
  createdFrom: time('Only those whose receipt was paid at this time or later.'),
  createdTo: time('Only those whose receipt was paid at this time or earlier.'),
});
