import { randomInt } from 'node:crypto';
import { newId } from '../core/ids.ts';
import type { Wallet } from '../core/wallet.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';
import { type AmountGrid, amountAt } from './amounts.ts';

/** A row of the quotes table. */
export interface QuoteRow {
  readonly merchant: Wallet;
  readonly id: string;
  readonly receiptId: string;
  readonly chainId: number;
  readonly payTo: Wallet;
  readonly token: string;
  /** Base units. */
  readonly amount: string;
  readonly usd: string;
  readonly usdPerUnit: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

/** The select list for a `QuoteRow`. */
export const QUOTE_COLUMNS = `q.merchant, q.id, q.receipt_id as "receiptId", q.chain_id as "chainId", q.pay_to as "payTo", q.token, q.amount, q.usd,
  q.usd_per_unit as "usdPerUnit", q.created_at as "createdAt", q.expires_at as "expiresAt"`;

/** The receipt's latest quote in a token at an address; null if there is none. */
export async function latestQuote(
  uow: UnitOfWork,
  receipt: { readonly merchant: Wallet; readonly id: string },
  place: Pick<QuoteRow, 'chainId' | 'payTo' | 'token'>,
): Promise<QuoteRow | null> {
  const [quote] = await uow.sql<QuoteRow>(
    `select ${QUOTE_COLUMNS} from quotes q
      where q.merchant = $1 and q.receipt_id = $2 and q.chain_id = $3 and q.pay_to = $4 and q.token = $5
      order by q.created_at desc, q.id desc limit 1`,
    [receipt.merchant, receipt.id, place.chainId, place.payTo, place.token],
  );
  return quote ?? null;
}

/** How long an amount stays reserved after its receipt was paid, because it may be paid a second time. */
export const RESERVED_MS = 30 * 24 * 60 * 60 * 1000;

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
  const [row] = await uow.sql<QuoteRow>(
    `insert into quotes as q (merchant, id, receipt_id, chain_id, pay_to, token, amount, usd, usd_per_unit, created_at, expires_at, reserved_until)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, null)
     on conflict (chain_id, pay_to, token, amount) do update
        set merchant = excluded.merchant, id = excluded.id, receipt_id = excluded.receipt_id, usd = excluded.usd,
            usd_per_unit = excluded.usd_per_unit, created_at = excluded.created_at, expires_at = excluded.expires_at, reserved_until = null
      where q.reserved_until < $10
     returning ${QUOTE_COLUMNS}`,
    [
      quote.merchant,
      newId('quote', quote.createdAt),
      quote.receiptId,
      quote.chainId,
      quote.payTo,
      quote.token,
      amount,
      quote.usd,
      quote.usdPerUnit,
      quote.createdAt,
      quote.expiresAt,
    ],
  );
  return row ?? null;
}

/** A free amount in the first cent with room. A concurrent request may take it before it is inserted. */
async function findFree(uow: UnitOfWork, grid: AmountGrid, quote: Omit<QuoteRow, 'id' | 'amount'>): Promise<bigint> {
  const place = [quote.chainId, quote.payTo, quote.token, quote.createdAt];
  const held =
    'q.chain_id = $1 and q.pay_to = $2 and q.token = $3 and (q.reserved_until is null or q.reserved_until >= $4)';
  const [room] = await uow.sql<{ cents: number }>(
    `select c.cents::int as cents from generate_series(0, $8::int) as c(cents)
      where (select count(*) from quotes q
              where ${held} and q.amount > $5::numeric + c.cents * $6::numeric and q.amount < $5::numeric + (c.cents + 1) * $6::numeric) < $7
      order by c.cents limit 1`,
    [...place, grid.base, grid.cent, grid.tags, CENTS_MAX],
  );
  if (!room) throw new Error(`Every amount near ${grid.base} ${quote.token} at ${quote.payTo} is taken`);
  const taken = await uow.sql<{ amount: string }>(
    `select q.amount from quotes q where ${held} and q.amount > $5::numeric and q.amount < $6::numeric`,
    [...place, amountAt(grid, room.cents, 0), amountAt(grid, room.cents + 1, 0)],
  );
  const amounts = new Set(taken.map(({ amount }) => BigInt(amount)));
  const free = Array.from({ length: grid.tags }, (_, i) => amountAt(grid, room.cents, i + 1)).filter(
    (amount) => !amounts.has(amount),
  );
  return free[randomInt(0, free.length)]!;
}
