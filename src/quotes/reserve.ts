import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { refuse } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { query } from '../platform/query.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';
import { type AmountGrid, amountAt, sizeOf } from './amounts.ts';
import { reportExhausted, reportUse } from './crowding.ts';
import { CLAIM_MS, CLOCK_TOLERANCE_MS, LEGACY_MS, PAID_MS, UNPAID_MS } from './hold.ts';
import { QUOTE_FIELDS, type QuoteRow } from './quote.entity.ts';

export type { QuoteRow } from './quote.entity.ts';

/** Where an amount is unique. An address belongs to one merchant, which tells a distributed database where to look. */
export type Place = Pick<QuoteRow, 'merchant' | 'chainId' | 'payTo' | 'token'>;

const placeOf = ({ merchant, chainId, payTo, token }: Place): Place => ({ merchant, chainId, payTo, token });

/** The receipt's latest quote in a token at an address; null if there is none. */
export async function latestQuote(
  { db }: UnitOfWork,
  { merchant, id }: { readonly merchant: Wallet; readonly id: string },
  place: Omit<Place, 'merchant'>,
): Promise<QuoteRow | null> {
  const quote = await db
    .selectFrom('Quote')
    .select(QUOTE_FIELDS)
    .where((eb) => eb.and({ ...placeOf({ ...place, merchant }), receiptId: id }))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return quote ?? null;
}

/** A receipt's last quote in a token of a chain from before the time of a block; null if there is none. */
export async function quoteBefore(
  { db }: UnitOfWork,
  { merchant, id }: { readonly merchant: Wallet; readonly id: string },
  { chainId, token, blockTimeMs }: { readonly chainId: number; readonly token: string; readonly blockTimeMs: number },
): Promise<QuoteRow | null> {
  const quote = await db
    .selectFrom('Quote')
    .select(QUOTE_FIELDS)
    .where((eb) => eb.and({ merchant, receiptId: id, chainId, token }))
    .where('createdAt', '<=', blockTimeMs + CLOCK_TOLERANCE_MS)
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

const RENEW = query('quotes-renew', (db, $: Pick<QuoteRow, 'merchant' | 'id' | 'expiresAt' | 'seenAt'>) =>
  db
    .updateTable('Quote')
    .set({ expiresAt: $.expiresAt, seenAt: $.seenAt })
    .where('merchant', '=', $.merchant)
    .where('id', '=', $.id)
    .returning(QUOTE_FIELDS),
);

/**
 * Extends a quote that the buyer requested again. Null if another receipt has taken the amount, which is possible once
 * the reservation has ended.
 */
export async function renewQuote(
  uow: UnitOfWork,
  quote: QuoteRow,
  { expiresAt, seenAt }: Pick<QuoteRow, 'expiresAt' | 'seenAt'>,
): Promise<QuoteRow | null> {
  const { merchant, id } = quote;
  const [renewed] = await uow.run(RENEW, { merchant, id, expiresAt, seenAt });
  return renewed ?? null;
}

/** Sets the time until which a paid receipt's amounts stay reserved. Amounts with such a time keep it. */
export async function endReservations(
  { db }: UnitOfWork,
  { merchant, id }: { readonly merchant: Wallet; readonly id: string },
  at: number,
): Promise<void> {
  await db
    .updateTable('Quote')
    .set({ reservedUntil: at + PAID_MS })
    .where((eb) => eb.and({ merchant, receiptId: id }))
    .where('reservedUntil', 'is', null)
    .execute();
}

/** When the reservation of an amount ends: by its payment, else by its quote. */
export const reservationEnd = sql<number>`coalesce(reserved_until,
  coalesce(expires_at, created_at + ${sql.lit(LEGACY_MS)}) + ${sql.lit(UNPAID_MS)})`;

/** A quote to be stored, without the amount that is to be found for it. */
export type NewQuote = Omit<QuoteRow, 'id' | 'amount' | 'seenAt' | 'earlier'>;

/**
 * Random guesses before the table is searched: in the first cent, then in all of them. Where most amounts were never
 * used, a guess usually finds one.
 */
const GUESSES_NEAR = 2;
const GUESSES_WIDE = 2;

/**
 * Reserves an amount of the grid that no other receipt holds at this address in this token, and stores it as the
 * receipt's quote. An amount that no receipt has held comes first, then the one that is unused for the longest time, of
 * the lowest cent with room. Refuses with `amounts_exhausted` if all are held. Raises alerts when few are left.
 */
export async function reserveAmount(
  deps: Pick<Deps, 'log'>,
  uow: UnitOfWork,
  grid: AmountGrid,
  quote: NewQuote,
): Promise<QuoteRow> {
  for (let guess = 0; guess < GUESSES_NEAR + GUESSES_WIDE; guess++) {
    const cents = guess < GUESSES_NEAR ? 0 : randomInt(0, grid.cents);
    const reserved = await takeUnused(uow, amountAt(grid, cents, randomInt(1, grid.tags + 1)), quote);
    if (reserved) return reserved;
  }
  let cents = 0;
  while (cents < grid.cents) {
    const room = await readRoom(uow, quote, grid, cents, cents + 1);
    if (room.held >= grid.tags) {
      cents += 1;
      continue;
    }
    const held = cents === 0 ? room.held : (await readRoom(uow, quote, grid, 0, grid.cents)).held;
    reportUse(deps, quote, { held: held + 1, size: sizeOf(grid) });
    // A concurrent request may take the amount first. Then the cent is read again.
    const reserved =
      room.used < grid.tags
        ? await takeUnused(uow, await findUnused(uow, quote, grid, cents), quote)
        : await takeOver(uow, room.oldest, quote);
    if (reserved) return reserved;
  }
  reportExhausted(deps, quote, sizeOf(grid));
  throw refuse('amounts_exhausted');
}

const newRow = (quote: NewQuote) => ({
  ...quote,
  id: newId('quote', quote.createdAt),
  reservedUntil: null,
  seenAt: quote.createdAt,
});

/** Inserts a quote with an amount that no receipt has held. Null if one has. */
async function takeUnused(uow: UnitOfWork, amount: bigint | null, quote: NewQuote): Promise<QuoteRow | null> {
  if (amount === null) return null;
  const reserved = await uow.db
    .insertInto('Quote')
    .values({ ...newRow(quote), amount: String(amount), earlier: [] })
    .onConflict((conflict) => conflict.doNothing())
    .returning(QUOTE_FIELDS)
    .executeTakeFirst();
  return reserved ?? null;
}

/** The number of earlier holders that are kept for an amount. */
const EARLIER_MAX = 50;

/**
 * Replaces the quote of an amount whose reservation has ended, and notes its holder unless it has paid. The holders of
 * an amount that was free for `CLAIM_MS` are forgotten.
 */
async function takeOver(uow: UnitOfWork, amount: string | null, quote: NewQuote): Promise<QuoteRow | null> {
  if (amount === null) return null;
  const holders = sql`case when ${reservationEnd} < ${quote.createdAt - CLAIM_MS}::int8 then '{}'
    when reserved_until is null then array_prepend(receipt_id, earlier) else earlier end`;
  const taken = await uow.db
    .updateTable('Quote')
    .set({
      ...newRow(quote),
      earlier: sql<string[]>`(array_remove(${holders}, ${quote.receiptId}))[:${sql.lit(EARLIER_MAX)}]`,
    })
    .where((eb) => eb.and({ ...placeOf(quote), amount }))
    .where(reservationEnd, '<', quote.createdAt)
    .returning(QUOTE_FIELDS)
    .executeTakeFirst();
  return taken ?? null;
}

/** Amounts between two bounds, in base units; neither is included. */
interface Range extends Place {
  readonly above: string;
  readonly below: string;
}

const rangeOf = (place: Place, grid: AmountGrid, from: number, to: number): Range => ({
  ...placeOf(place),
  above: String(amountAt(grid, from, 0)),
  below: String(amountAt(grid, to, 0)),
});

/** Reads one range of the index of amounts. */
const ROOM = query(
  'quotes-room',
  (db, $: Range & { now: number }) =>
    db
      .selectFrom('Quote')
      .select(({ fn }) => [
        fn.countAll<number>().as('used'),
        sql<number>`count(*) filter (where ${reservationEnd} >= ${$.now})`.as('held'),
        sql<string | null>`(array_agg(amount order by ${reservationEnd}, amount)
          filter (where ${reservationEnd} < ${$.now}))[1]`.as('oldest'),
      ])
      .where('merchant', '=', $.merchant)
      .where('chainId', '=', $.chainId)
      .where('payTo', '=', $.payTo)
      .where('token', '=', $.token)
      .where('amount', '>', $.above)
      .where('amount', '<', $.below),
  { computed: { used: 'int8', held: 'int8', oldest: 'numeric' } },
);

/** What is known of the amounts of some cents: how many were ever used, how many are held, and the longest unused. */
async function readRoom(uow: UnitOfWork, quote: NewQuote, grid: AmountGrid, from: number, to: number) {
  const [room] = await uow.run(ROOM, { ...rangeOf(quote, grid, from, to), now: quote.createdAt });
  return { used: Number(room!.used), held: Number(room!.held), oldest: room!.oldest };
}

const UNUSED = query(
  'quotes-unused-amount',
  (_db, $: Place & { base: string; step: string; tags: number }) => sql<{ amount: string }>`
    select n.amount from
      (select ${$.base}::numeric + ${$.step}::numeric * tag as amount from generate_series(1, ${$.tags}::int4) tag) n
     where not exists (select from quotes q
                        where q.merchant = ${$.merchant} and q.chain_id = ${$.chainId} and q.pay_to = ${$.payTo}
                          and q.token = ${$.token} and q.amount = n.amount)
     order by random() limit 1`,
  { computed: { amount: 'numeric' } },
);

/** An amount of a cent that no receipt has held; null if there is none. */
async function findUnused(uow: UnitOfWork, quote: NewQuote, grid: AmountGrid, cents: number): Promise<bigint | null> {
  const { step, tags } = grid;
  const base = String(amountAt(grid, cents, 0));
  const [unused] = await uow.run(UNUSED, { ...placeOf(quote), base, step: String(step), tags });
  return unused ? BigInt(unused.amount) : null;
}
