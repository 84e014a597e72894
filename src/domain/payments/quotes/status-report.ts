import { sql } from 'kysely';
import type { Token } from '../../../base/chain/token.ts';
import { currencyOf, defaultToken, isAtPar, toDecimal } from '../../../base/chain/tokens.ts';
import { Refusal, refuse } from '../../../base/core/errors.ts';
import { usdFromCents } from '../../../base/core/money.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { tokenOn } from '../../../base/platform/on-chain.ts';
import { type KeyColumns, keyedQuery, type RowOf } from '../../../base/platform/postgres/query.ts';
import { failureOf, type PaymentFailure } from '../../sales/receipts/failures.ts';
import { ENDPOINT_STATUS, type EndpointStatus } from '../../sales/receipts/lifecycle.ts';
import { currentRate } from '../../shop/fx/rates.ts';
import type { Choice } from '../../shop/merchants/chosen-tokens.ts';
import { askedAmount, atRate, euroPar } from './amounts.ts';

/** The status of a receipt, for polling. `amount` is in whole units of `currency`, a token. */
export interface StatusReport {
  readonly merchant: Wallet;
  readonly receiptId: string;
  /** In the terms of the status endpoint. */
  readonly status: EndpointStatus;
  readonly transactionHash: string | null;
  readonly currency: string;
  readonly amount: number;
  readonly failure: PaymentFailure | null;
  /** When the receipt expired or was voided, epoch ms; null if it has not ended so. */
  readonly endedAt: number | null;
}

type Key = KeyColumns<{ merchant: Wallet; id: string }>;

/** The token and amount are those that were paid, else those quoted last; null if there are none. */
const STATUS = keyedQuery(
  'receipt-status',
  ['merchant', 'id'],
  (db, key: Key) =>
    db
      .selectFrom('Receipt as r')
      .leftJoinLateral(
        (eb) =>
          eb
            .selectFrom('Quote')
            .select(['chainId as chain', 'token', 'amount'])
            .whereRef('merchant', '=', 'r.merchant')
            .whereRef('receiptId', '=', 'r.id')
            .where('r.paidToken', 'is', null)
            .orderBy('createdAt', 'desc')
            .limit(1)
            .as('q'),
        (join) => join.onTrue(),
      )
      .select(['r.id', 'r.status', 'r.transactionHash', 'r.failureCode', 'r.totalCents', 'r.closedAt'])
      .select((eb) => [
        sql<number | null>`case when r.paid_token is null then q.chain else r.payment_chain_id end`.as('chainId'),
        eb.fn.coalesce('r.paidToken', 'q.token').as('token'),
        sql<number | null>`case when r.currency = 'EUR' then (r.pricing ->> 'originalTotalCents')::int8 end`.as(
          'euroCents',
        ),
        // Base units.
        eb.fn.coalesce('r.paidAmount', 'q.amount').as('amount'),
        eb
          .selectFrom('Merchant as m')
          .select(({ ref }) => sql<Choice>`${ref('m.shop')} -> 'paymentTokens'`.as('choice'))
          .whereRef('m.wallet', '=', 'r.merchant')
          .where('r.paidToken', 'is', null)
          .where('q.token', 'is', null)
          .as('choice'),
      ])
      .where('r.merchant', '=', key.merchant)
      .where('r.id', '=', key.id)
      .limit(1),
  { computed: { chainId: 'int8', euroCents: 'int8', token: 'text', amount: 'numeric', choice: 'jsonb' } },
);

type Paid = Pick<RowOf<typeof STATUS>, 'chainId' | 'token' | 'amount' | 'totalCents' | 'euroCents' | 'choice'>;

type StatusDeps = Pick<Deps, 'db' | 'chain' | 'chains' | 'settings' | 'rates' | 'clock'>;

/** The status of one receipt, as `GET /api/receipts/status` returns it. Refuses with `not_found`. */
export async function readStatus(deps: StatusDeps, merchant: Wallet, id: string): Promise<StatusReport> {
  const row = await deps.db.one(STATUS, { merchant, id });
  if (!row) throw refuse('not_found', 'Receipt not found');
  return {
    merchant,
    receiptId: row.id,
    status: ENDPOINT_STATUS[row.status],
    transactionHash: row.transactionHash,
    ...amountOf(deps, row),
    failure: row.status === 'failed' ? failureOf(row.failureCode) : null,
    endedAt: row.status === 'failed' ? row.closedAt : null,
  };
}

type TokenAmount = Pick<StatusReport, 'currency' | 'amount'>;

function amountOf(deps: StatusDeps, paid: Paid): TokenAmount {
  const token = tokenOn(deps, paid.chainId, paid.token);
  return token && paid.amount !== null ? amountIn(token, BigInt(paid.amount)) : byDefault(deps, paid);
}

const amountIn = ({ symbol, decimals }: Token, units: bigint): TokenAmount => ({
  currency: symbol,
  amount: Number(toDecimal(units, decimals)),
});

/** The token that the merchant prefers, else the site's default one; null if it takes none that the server accepts. */
function preferredToken(deps: StatusDeps, choice: Choice): Token | null {
  if (choice === null) return defaultToken(deps.chain.tokens);
  for (const { chainId, token } of choice) {
    const known = tokenOn(deps, chainId, token);
    if (known) return known;
  }
  return null;
}

/**
 * The amount that a quote in the merchant's preferred token asks for at the current rate. Falls back to US dollars if
 * there is no rate, or no token.
 */
function byDefault(deps: StatusDeps, paid: Paid): TokenAmount {
  const { settings, rates, clock } = deps;
  const usd = usdFromCents(paid.totalCents);
  const token = preferredToken(deps, paid.choice);
  if (!token) return { currency: 'USD', amount: usd };
  if (isAtPar(token)) return { currency: token.symbol, amount: usd };
  try {
    const usdPerUnit =
      euroPar(paid, token) ?? currentRate(rates(), currencyOf(token), clock(), settings.fx.maxAgeOf).usdPerUnit;
    return amountIn(token, askedAmount(String(usd), atRate(token, usdPerUnit)));
  } catch (error) {
    if (error instanceof Refusal) return { currency: 'USD', amount: usd };
    throw error;
  }
}
