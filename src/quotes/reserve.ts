import { randomInt } from 'node:crypto';
import { type Expression, sql } from 'kysely';
import { newId } from '../core/ids.ts';
import type { Wallet } from '../core/wallet.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';
import { type AmountGrid, amountAt } from './amounts.ts';
import { QUOTE_FIELDS, type QuoteRow } from './quote.entity.ts';

export type { QuoteRow } from './quote.entity.ts';

/** Where an amount is unique. */
type Place = Pick<QuoteRow, 'chainId' | 'payTo' | 'token'>;

const placeOf = ({ chainId, payTo, token }: Place): Place => ({ chainId, payTo, token });

/** The receipt's latest quote in a token at an address; null if there is none. */
export async function latestQuote(
  { db }: UnitOfWork,
  { merchant, id }: { readonly merchant: Wallet; readonly id: string },
  place: Place,
): Promise<QuoteRow | null> {
  const quote = await db
    .selectFrom('Quote')
    .select(QUOTE_FIELDS)
    .where((eb) => eb.and({ merchant, receiptId: id, ...placeOf(place) }))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return quote ?? null;
}

/** The quote that holds an amount (base units) at a place; null if there is none. */
export async function quoteOfAmount({ db }: UnitOfWork, place: Place, amount: string): Promise<QuoteRow | null> {
  const quote = await db
    .selectFrom('Quote')
    .select(QUOTE_FIELDS)
    .where((eb) => eb.and({ ...placeOf(place), amount }))
    .executeTakeFirst();
  return quote ?? null;
}

/** Sets the time until which a paid receipt's amounts stay reserved. Amounts with such a time keep it. */
export async function endReservations(
  { db }: UnitOfWork,
  { merchant, id }: { readonly merchant: Wallet; readonly id: string },
  at: number,
): Promise<void> {
  await db
    .updateTable('Quote')
    .set({ reservedUntil: at + RESERVED_MS })
    .where((eb) => eb.and({ merchant, receiptId: id }))
    .where('reservedUntil', 'is', null)
    .execute();
}

/** How long an amount stays reserved after its receipt was paid, because it may be paid a second time. */
const RESERVED_MS = 30 * 24 * 60 * 60 * 1000;

/** Most tags are free, so a random guess usually succeeds. The table is searched only if the cent is crowded. */
const GUESSES = 3;
const CENTS_MAX = 10_000;

/**
 * Reserves an amount of the grid that no other receipt holds for this address and token, and stores it as the receipt's
 * quote.
 */
export async function reserveAmount(
  uow: UnitOfWork,
  grid: AmountGrid,
  quote: Omit<QuoteRow, 'id' | 'amount'>,
): Promise<QuoteRow> {
  for (let guess = 0; guess < GUESSES; guess++) {
    const reserved = await tryAmount(uow, amountAt(grid, 0, randomInt(1, grid.tags + 1)), quote);
    if (reserved) return reserved;
  }
  for (;;) {
    const amount = await findFree(uow, grid, quote);
    const reserved = await tryAmount(uow, amount, quote);
    if (reserved) return reserved;
  }
}

/** Inserts a quote with this amount. Null if another receipt holds the amount; an expired reservation is replaced. */
async function tryAmount(
  uow: UnitOfWork,
  amount: bigint,
  quote: Omit<QuoteRow, 'id' | 'amount'>,
): Promise<QuoteRow | null> {
  const row = { ...quote, id: newId('quote', quote.createdAt), amount: String(amount), reservedUntil: null };
  const reserved = await uow.db
    .insertInto('Quote')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['chainId', 'payTo', 'token', 'amount'])
        .doUpdateSet(row)
        .where('Quote.reservedUntil', '<', quote.createdAt),
    )
    .returning(QUOTE_FIELDS)
    .executeTakeFirst();
  return reserved ?? null;
}

/** A free amount in the first cent with room. A concurrent request may take it before it is inserted. */
async function findFree(uow: UnitOfWork, grid: AmountGrid, quote: Omit<QuoteRow, 'id' | 'amount'>): Promise<bigint> {
  const held = uow.db
    .selectFrom('Quote')
    .where((eb) => eb.and(placeOf(quote)))
    .where((eb) => eb.or([eb('reservedUntil', 'is', null), eb('reservedUntil', '>=', quote.createdAt)]));
  const lower = (cents: Expression<number>) =>
    sql<string>`${String(grid.base)}::numeric + ${cents} * ${String(grid.cent)}::numeric`;
  const room = await uow.db
    .selectFrom(sql<{ cents: number }>`generate_series(0, ${CENTS_MAX}::int4)`.as<'c'>(sql`c(cents)`))
    .select('c.cents')
    .where((eb) => {
      const count = held
        .select(eb.fn.countAll<number>().as('count'))
        .where('amount', '>', lower(eb.ref('c.cents')))
        .where('amount', '<', lower(sql`(${eb.ref('c.cents')} + 1)`));
      return eb(count, '<', grid.tags);
    })
    .orderBy('c.cents')
    .limit(1)
    .executeTakeFirst();
  if (!room) throw new Error(`Every amount near ${grid.base} ${quote.token} at ${quote.payTo} is taken`);
  const taken = await held
    .select('amount')
    .where('amount', '>', String(amountAt(grid, room.cents, 0)))
    .where('amount', '<', String(amountAt(grid, room.cents + 1, 0)))
    .execute();
  const amounts = new Set(taken.map(({ amount }) => BigInt(amount)));
  const free = Array.from({ length: grid.tags }, (_, i) => amountAt(grid, room.cents, i + 1)).filter(
    (amount) => !amounts.has(amount),
  );
  return free[randomInt(0, free.length)]!;
}
