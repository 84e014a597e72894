import { z } from 'zod';
import { amount, qty, signedAmount, wholeNumber } from '../../../base/core/amount.ts';
import type { ErrorCode } from '../../../base/core/errors.ts';
import { coded, fault, optional, shownAs } from '../../../base/core/input.ts';
import { MAX_AMOUNT_CENTS } from '../../../base/core/limits.ts';
import { centsFromUsd } from '../../../base/core/money.ts';
import { label } from '../../../base/core/text.ts';
import { parseWallet, WALLET_PATTERN, type Wallet, ZERO_WALLET } from '../../../base/core/wallet.ts';
import { MAX_LINES, receiptIdInput } from '../../sales/receipts/receipt.input.ts';
import { isReason, MAX_NOTE, noteInput, reasonInput } from './reason.ts';

/** A required wallet, refused under its own code. */
const named = (code: ErrorCode, test: (wallet: Wallet) => boolean = () => true) =>
  shownAs(
    coded(code, (value) => {
      const parsed = parseWallet(value);
      return parsed !== null && test(parsed);
    }).pipe(z.string().transform((value) => parseWallet(value) as Wallet)),
    { type: 'string', pattern: WALLET_PATTERN },
  );

const payable = (value: unknown): boolean => {
  const cents = typeof value === 'number' ? centsFromUsd(value) : null;
  return cents !== null && cents > 0 && cents <= MAX_AMOUNT_CENTS;
};

const item = z.object({ label, priceUsd: signedAmount, qty: optional(qty) }).transform((line) => ({
  label: line.label,
  priceCents: line.priceUsd,
  ...(line.qty === undefined ? {} : { qty: line.qty }),
}));

const hash = z
  .string({ error: 'must be a transaction hash' })
  .regex(/^(0x[0-9a-fA-F]{64})?$/, { error: 'must be 0x followed by 64 hex characters' })
  .transform((text) => (text === '' ? undefined : (text.toLowerCase() as `0x${string}`)));

// Money sent to the zero address is not a refund.
const buyerWallet = named('invalid_buyer', (wallet) => wallet !== ZERO_WALLET);
const usd = coded('invalid_usd', payable).pipe(amount(1));

/**
 * The body of `POST /api/receipts/refund`. Checks in this order: `missing_receipt_id`, `invalid_wallet`,
 * `invalid_buyer`, `invalid_usd`, then items, `reason`, `note`, `txHash` and `chainId` with `invalid_input`. The items
 * describe the refund and need not add up to `usd`, which may leave out a fee or include tax and shipping. Null and an
 * empty `txHash` count as none.
 */
export const refundInput = z
  .object({
    receiptId: receiptIdInput,
    wallet: named('invalid_wallet'),
    buyer: buyerWallet,
    usd,
    items: optional(z.array(item).max(MAX_LINES)),
    reason: optional(reasonInput),
    note: optional(noteInput),
    txHash: optional(hash),
    chainId: optional(wholeNumber(1, Number.MAX_SAFE_INTEGER)),
  })
  .transform(({ receiptId, wallet, buyer, usd, items, reason, note, txHash, chainId }) => ({
    receiptId,
    wallet,
    buyer,
    usdCents: usd,
    items: items ?? [],
    reason: reason ?? null,
    note: note ?? null,
    txHash: txHash ?? null,
    chainId: chainId ?? null,
  }));

/** A parsed refund request; money in cents. `wallet` is the merchant. */
export type RefundInput = z.output<typeof refundInput>;

/** The arguments of a refund's draft, with the same refusals. */
export const refundDraftInput = z
  .object({ receiptId: receiptIdInput, buyer: optional(buyerWallet), usd })
  .transform(({ receiptId: id, usd: usdCents, buyer }) => ({ receiptId: id, usdCents, buyer: buyer ?? null }));

/** A reason of the list, or in the shop's own words: these become the note of a request with the reason `other`. */
const askedReason = z.union([reasonInput, noteInput], { error: `must be a text of at most ${MAX_NOTE} characters` });

/**
 * The body of `POST /api/receipts/refund-requests`. `amountUsd` is another name of `usd`. Without both, everything that
 * can be returned. A further field is refused with `invalid_input`: a currency or a token would change what is asked
 * for.
 */
export const refundRequestInput = z
  .strictObject({
    receiptId: receiptIdInput,
    buyer: optional(buyerWallet).describe('Who receives the money. Default: the wallet that paid.'),
    usd: optional(usd),
    amountUsd: optional(usd).describe('The same as `usd`.'),
    items: optional(z.array(item).max(MAX_LINES)),
    reason: optional(askedReason).describe('One of the reasons of refunds, or a sentence, which is kept as the note.'),
    note: optional(noteInput),
  })
  .transform(({ receiptId, buyer, usd: one, amountUsd: other, items, reason, note }, ctx) => {
    if (one !== undefined && other !== undefined && one !== other) return fault(ctx, 'must equal usd', ['amountUsd']);
    // A person decides by what the items cost.
    const free = items?.findIndex(({ priceCents }) => priceCents < 1) ?? -1;
    if (free >= 0) return fault(ctx, 'must be at least 0.01', ['items', free, 'priceUsd']);
    const isListed = reason === undefined || isReason(reason);
    return {
      receiptId,
      buyer: buyer ?? null,
      usdCents: one ?? other ?? null,
      items: items ?? [],
      reason: isListed ? (reason ?? null) : ('other' as const),
      note: note ?? (isListed ? null : reason),
    };
  });

/** A request for a refund; money in cents. */
export type RefundRequestInput = z.output<typeof refundRequestInput>;
