import { type Refusal, refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { sha256 } from '../../../base/platform/secrets.ts';
import type { AuditDeps } from '../../../base/records/audit/record.ts';
import { convertLines } from '../../shop/fx/convert.ts';
import { currentRate } from '../../shop/fx/rates.ts';
import { requireOwnWallet } from '../../shop/merchants/own-wallet.ts';
import { isSuspended } from '../../shop/merchants/suspend.ts';
import type { MerchantSettings } from '../pricing/read-settings.ts';
import { merchantSettings } from '../pricing/settings.ts';
import { newAddress } from './addresses.ts';
import { type Author, requireSigningKey } from './author.ts';
import { bookingQuery, bookWithin, type NewReceipt } from './book.ts';
import type { EndDeps } from './end.ts';
import { expiryOf } from './expiry.ts';
import { type ReceiptRow, readReceipt } from './read.ts';
import type { ReceiptInput } from './receipt.input.ts';
import { lockReceiptOrRefuse, recordChange, signalChange } from './record-change.ts';
import { replaceWithin } from './successor.ts';

type ReceiptDeps = EndDeps & AuditDeps & Pick<Deps, 'rates'>;

/** A merchant that has a split never loses it, so the check cannot become stale. */
const BOOK = bookingQuery('book-receipt', {}, (m, $) =>
  m.and([
    m('m.suspendedAt', 'is', null),
    m.exists(
      m
        .selectFrom('Split as s')
        .select('s.id')
        .whereRef('s.merchant', '=', 'm.wallet')
        .where('s.chainId', '=', $.chain)
        .where('s.replacedAt', 'is', null),
    ),
  ]),
);

const DIGEST = query('receipt-digest', (db, $: { merchant: Wallet; id: string }) =>
  db.selectFrom('Receipt').select('contentDigest').where('merchant', '=', $.merchant).where('id', '=', $.id),
);

/**
 * Creates a receipt from the caller's own lines. No tax or fee is added, and the receipt is `pending` at once.
 * Repeating a request with the same id and content returns the existing receipt; the same id with other content is
 * refused with `invalid_input`. A receipt with a total of zero is completed at once. Also refuses with `split_required`
 * and `exchange_rate_unavailable`. A refused request writes nothing.
 *
 * With `replaces` it voids that receipt in the same transaction, and refuses as `replaceWithin` does. It is no part of
 * the content: a request without it finds the receipt.
 */
export async function createReceipt(deps: ReceiptDeps, author: Author, input: ReceiptInput): Promise<ReceiptRow> {
  requireOwnWallet(author.merchant, input.wallet);
  requireSigningKey(author, input.options);
  const settings = await merchantSettings(deps, author.merchant);
  let receipt: NewReceipt;
  try {
    receipt = draft(deps, author, input, settings);
  } catch (error) {
    // An existing receipt needs no exchange rate.
    const known = input.replaces === null && (await findSame(deps, author.merchant, input));
    if (known) return known;
    throw error;
  }
  if (await book(deps, receipt, input)) return readReceipt(deps.db, author.merchant, receipt.id);
  const known = await findSame(deps, author.merchant, input);
  if (!known) throw await whyNotBooked(deps, author.merchant);
  return known;
}

async function whyNotBooked(deps: ReceiptDeps, merchant: Wallet): Promise<Refusal> {
  return refuse((await isSuspended(deps.db, merchant)) ? 'merchant_suspended' : 'split_required');
}

/**
 * The receipt that an identical earlier request created; null if the id is free. Refuses with `invalid_input` if the id
 * belongs to a receipt with other content.
 */
const findSame = async (deps: ReceiptDeps, merchant: Wallet, input: ReceiptInput): Promise<ReceiptRow | null> =>
  (await isKnown(deps.db, merchant, input)) ? readReceipt(deps.db, merchant, input.id) : null;

/** The same, without the receipt. */
async function isKnown(reader: Pick<Db, 'run'>, merchant: Wallet, input: ReceiptInput): Promise<boolean> {
  const [known] = await reader.run(DIGEST, { merchant, id: input.id });
  if (known && known.contentDigest !== digestOf(input))
    throw refuse('invalid_input', 'id is taken by a receipt with other content', { field: 'id' });
  return known !== undefined;
}

/** A request without `expiresInMinutes` keeps the digest that it had before the field existed. */
const digestOf = ({ format, currency, lines, totalCents, options, expiresInMinutes }: ReceiptInput) => {
  const content = [format, currency, lines, totalCents, options];
  return sha256(JSON.stringify(expiresInMinutes === undefined ? content : [...content, expiresInMinutes]));
};

/**
 * Inserts the receipt, completes it if its total is zero, and voids what it replaces. Returns false if it was not
 * inserted.
 */
async function book(deps: ReceiptDeps, receipt: NewReceipt, input: ReceiptInput): Promise<boolean> {
  const { merchant, id, actor } = receipt;
  const { replaces } = input;
  if (receipt.totalCents > 0 && replaces === null) {
    // The caller chose the id. In one statement with others it could deadlock with a statement of another process.
    const [booked] = await deps.db.run(BOOK, BOOK.listsOf([{ receipt, condition: {} }]));
    if (booked) signalChange(deps.bus, merchant, id, 1);
    return booked !== undefined;
  }
  return deps.db.transaction(async (uow) => {
    const insert = async () => {
      if (!(await bookWithin(uow, BOOK, { receipt, condition: {} }))) return false;
      if (receipt.totalCents > 0) return true;
      const locked = await lockReceiptOrRefuse(uow, merchant, id);
      await recordChange(deps, uow, locked, { kind: 'status', to: 'completed' }, { actor: 'nothing-to-pay' });
      return true;
    };
    if (replaces === null) return insert();
    const exchange = { merchant, receiptId: replaces, by: id, reason: null, actor };
    const made = await replaceWithin(deps, uow, exchange, async () => {
      const inserted = await insert();
      // One that exists takes its place as well. Without one, nothing is voided.
      if (!inserted && !(await isKnown(uow, merchant, input))) throw await whyNotBooked(deps, merchant);
      return inserted;
    });
    return made ?? false;
  });
}

function draft(
  deps: Pick<Deps, 'clock' | 'settings' | 'rates'>,
  author: Author,
  input: ReceiptInput,
  { brandName, splitAddress: split, splitOnlyChainId: onlyChainId }: MerchantSettings,
): NewReceipt {
  const at = deps.clock();
  const rate =
    input.format === 'legacy' || input.currency === 'USD'
      ? null
      : currentRate(deps.rates(), input.currency, at, deps.settings.fx.maxAgeOf);
  const amounts = input.lines.map((line) => line.amountCents);
  const inUsd = rate ? convertLines(amounts, rate.usdPerUnit) : { lineCents: amounts, totalCents: input.totalCents };
  return {
    merchant: author.merchant,
    id: input.id,
    origin: 'receipt',
    status: 'pending',
    totalCents: inUsd.totalCents,
    currency: input.currency,
    lineItems: input.lines.map(({ label, qty }, i) => ({
      label,
      priceCents: inUsd.lineCents[i]!,
      ...(qty === undefined ? {} : { qty }),
    })),
    jurisdictionCode: null,
    taxRate: null,
    taxComponents: null,
    pricing: rate && {
      version: 1,
      currency: input.currency,
      usdPerUnit: rate.usdPerUnit,
      quotedAt: rate.quotedAt,
      provider: rate.provider,
      originalTotalCents: input.totalCents,
      originalLineItems: input.lines,
    },
    brandName,
    options: input.options,
    keyId: author.keyId,
    contentDigest: digestOf(input),
    address:
      split === null || inUsd.totalCents === 0
        ? null
        : newAddress({ merchant: author.merchant, id: input.id, createdAt: at }, { split, onlyChainId }),
    ...expiryOf(deps.settings, input.expiresInMinutes, at),
    chainId: deps.settings.chainId,
    actor: author.actor,
    at,
  };
}
