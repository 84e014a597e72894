import Big from 'big.js';
import { defaultToken, isAtPar, toDecimal } from '../chain/tokens.ts';
import { Refusal, refuse } from '../core/errors.ts';
import type { Failure } from '../core/events.ts';
import type { Wallet } from '../core/wallet.ts';
import { currentRate } from '../fx/rates.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import { failureOf } from './failures.ts';
import { ENDPOINT_STATUS, type ReceiptStatus } from './lifecycle.ts';

/** The status of a receipt, for polling. `amount` is in whole units of `currency`, a token. */
export interface StatusReport {
  readonly id: string;
  /** In the terms of the status endpoint. */
  readonly status: string;
  readonly transactionHash: string | null;
  readonly currency: string;
  readonly amount: number;
  readonly failure: Failure | null;
}

interface StatusRow {
  readonly id: string;
  readonly status: ReceiptStatus;
  readonly transactionHash: string | null;
  readonly failureCode: string | null;
  readonly totalCents: number;
  /** The token that was paid, else the one quoted last; null if there is none. */
  readonly token: string | null;
  /** Base units. */
  readonly amount: string | null;
}

const STATUS = statement(
  'receipt-status',
  `select k.n, r.id, r.status, r.transaction_hash as "transactionHash", r.failure_code as "failureCode", r.total_cents as "totalCents",
          coalesce(r.paid_token, q.token) as token, coalesce(r.paid_amount, q.amount) as amount
     from unnest($1::text[], $2::text[]) with ordinality as k(merchant, id, n)
    cross join lateral (select * from receipts where merchant = k.merchant and id = k.id limit 1) r
     left join lateral (select token, amount from quotes
                         where merchant = r.merchant and receipt_id = r.id and r.paid_token is null
                         order by created_at desc limit 1) q on true`,
);

type StatusDeps = Pick<Deps, 'sql' | 'chain' | 'settings' | 'rates' | 'clock'>;

/** The status of one receipt, as `GET /api/receipts/status` returns it. Refuses with `not_found`. */
export async function readStatus(deps: StatusDeps, merchant: Wallet, id: string): Promise<StatusReport> {
  const row = await deps.sql.row<StatusRow>(STATUS, [merchant, id]);
  if (!row) throw refuse('not_found', 'Receipt not found');
  return {
    id: row.id,
    status: ENDPOINT_STATUS[row.status],
    transactionHash: row.transactionHash,
    ...amountOf(deps, row),
    failure: row.status === 'failed' ? failureOf(row.failureCode) : null,
  };
}

type TokenAmount = Pick<StatusReport, 'currency' | 'amount'>;

function amountOf(deps: StatusDeps, { token: symbol, amount, totalCents }: StatusRow): TokenAmount {
  const token = deps.chain.tokens.find((one) => one.symbol === symbol);
  if (!token || amount === null) return byDefault(deps, totalCents);
  return { currency: token.symbol, amount: Number(toDecimal(BigInt(amount), token.decimals)) };
}

/** The maximum number of decimals in the amount of a coin. */
const COIN_DECIMALS = 8;

/**
 * The amount in the default token at the current rate, for a receipt without a quote. Falls back to US dollars if there
 * is no rate.
 */
function byDefault({ chain, settings, rates, clock }: StatusDeps, totalCents: number): TokenAmount {
  const usd = totalCents / 100;
  const token = defaultToken(chain.tokens);
  if (!token) return { currency: 'USD', amount: usd };
  if (isAtPar(token)) return { currency: token.symbol, amount: usd };
  try {
    const { usdPerUnit } = currentRate(rates(), token.symbol, clock(), settings.fx.maxAgeMs);
    const coins = new Big(usd).div(usdPerUnit).round(Math.min(token.decimals, COIN_DECIMALS), Big.roundUp);
    return { currency: token.symbol, amount: coins.toNumber() };
  } catch (error) {
    if (error instanceof Refusal) return { currency: 'USD', amount: usd };
    throw error;
  }
}
