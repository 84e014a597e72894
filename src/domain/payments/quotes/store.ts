import { sql } from 'kysely';
import { newId } from '../../../base/core/ids.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { walkQuery } from '../../../base/platform/sweep.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { CLOCK_TOLERANCE_MS } from './hold.ts';
import { QUOTE_FIELDS, type QuoteRow } from './quote.entity.ts';

export type { QuoteRow } from './quote.entity.ts';

/** A token on a chain in which a receipt is paid, and at which of its addresses; at any of them without one. */
type Key = Pick<QuoteRow, 'merchant' | 'receiptId' | 'chainId' | 'token'> & Partial<Pick<QuoteRow, 'payTo'>>;

const quotesOf = ({ db }: UnitOfWork, { chainId, ...key }: Key, order: 'asc' | 'desc') =>
  db
    .selectFrom('Quote')
    .select(QUOTE_FIELDS)
    .where('chainId', '=', chainId)
    .where((eb) => eb.and(key))
    .orderBy('createdAt', order)
    .orderBy('id', order)
    .limit(1);

/** A receipt's latest quote in a token; null if there is none. */
export async function latestQuote(
  uow: UnitOfWork,
  { merchant, receiptId, chainId, token, payTo }: Key,
): Promise<QuoteRow | null> {
  const key = { merchant, receiptId, chainId, token, ...(payTo && { payTo }) };
  return (await quotesOf(uow, key, 'desc').executeTakeFirst()) ?? null;
}

/**
 * A receipt's quote in a token at the time of a block: the last one before it, else the first one, because the clock of
 * a chain may be behind. Null if there is none.
 */
export async function quoteAt(
  uow: UnitOfWork,
  { merchant, id: receiptId }: { readonly merchant: Wallet; readonly id: string },
  { chainId, token, blockTimeMs }: { readonly chainId: number; readonly token: string; readonly blockTimeMs: number },
): Promise<QuoteRow | null> {
  const key = { merchant, receiptId, chainId, token };
  const before = quotesOf(uow, key, 'desc').where('createdAt', '<=', blockTimeMs + CLOCK_TOLERANCE_MS);
  return (await before.executeTakeFirst()) ?? (await quotesOf(uow, key, 'asc').executeTakeFirst()) ?? null;
}

/** Where an amount was quoted. */
type Place = Pick<QuoteRow, 'merchant' | 'chainId' | 'payTo' | 'token'>;

/** The quote of an amount (base units) at a place; null if there is none. */
export async function quoteOfAmount(
  { db }: UnitOfWork,
  { merchant, chainId, payTo, token }: Place,
  amount: string,
): Promise<QuoteRow | null> {
  const quote = await db
    .selectFrom('Quote')
    .select(QUOTE_FIELDS)
    .where((eb) => eb.and({ merchant, chainId, payTo, token, amount }))
    .executeTakeFirst();
  return quote ?? null;
}

const RENEW = query('quotes-renew', (db, $: Pick<QuoteRow, 'merchant' | 'id' | 'expiresAt' | 'seenAt'>) =>
  db
    .updateTable('Quote')
    .set({ expiresAt: $.expiresAt, seenAt: $.seenAt })
    .where('merchant', '=', $.merchant)
    .where('id', '=', $.id)
    .returning(QUOTE_FIELDS),
);

/** Extends a quote that the buyer requested again. */
export async function renewQuote(
  uow: UnitOfWork,
  { merchant, id }: QuoteRow,
  { expiresAt, seenAt }: Pick<QuoteRow, 'expiresAt' | 'seenAt'>,
): Promise<QuoteRow> {
  const [renewed] = await uow.run(RENEW, { merchant, id, expiresAt, seenAt });
  return renewed!;
}

/**
 * Stores a quote of a locked receipt. The same amount at the same address was quoted before if the price came back; it
 * counts from now on at the present price.
 */
export async function putQuote(uow: UnitOfWork, quote: Omit<QuoteRow, 'id' | 'seenAt' | 'earlier'>): Promise<QuoteRow> {
  const { usd, usdPerUnit, createdAt, expiresAt } = quote;
  const known = await quoteOfAmount(uow, quote, quote.amount);
  if (known) {
    const now = { usd, usdPerUnit, createdAt, expiresAt, seenAt: createdAt };
    return uow.db
      .updateTable('Quote')
      .set(now)
      .where('merchant', '=', known.merchant)
      .where('id', '=', known.id)
      .returning(QUOTE_FIELDS)
      .executeTakeFirstOrThrow();
  }
  const row = { ...quote, id: newId('quote', createdAt), seenAt: createdAt, reservedUntil: null, earlier: [] };
  return uow.db.insertInto('Quote').values(row).returning(QUOTE_FIELDS).executeTakeFirstOrThrow();
}

/** Deletes the quotes that ended before a time. Those of version 0.1 without an end count from their creation. */
export const DELETE_QUOTES = walkQuery('quotes-delete', {
  table: 'quotes',
  key: ['merchant', 'id'],
  isDue: (before) => sql`coalesce(expires_at, created_at) < ${before}`,
});
