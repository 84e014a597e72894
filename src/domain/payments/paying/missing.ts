import { sql } from 'kysely';
import { isAtPar, toDecimal } from '../../../base/chain/tokens.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { tokenOn } from '../../../base/platform/on-chain.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import { askedAmount, atRate } from '../quotes/amounts.ts';
import { type Credit, computeBalance } from '../transfers/core/weigh.ts';

/** The amount that a receipt still lacks after an underpayment. */
export interface Missing {
  /** US dollars, as decimal text. */
  readonly usd: string;
  readonly token: string;
  /** Base units of the token, rounded as a quote of it is. */
  readonly amount: string;
  /** The amount in whole tokens, as decimal text. */
  readonly display: string;
}

const MISSING = query(
  'payments-missing',
  (db, $: { merchant: Wallet; ids: readonly string[] }) =>
    db
      .selectFrom('Receipt as r')
      .leftJoinLateral(
        (eb) =>
          eb
            .selectFrom('Quote as q')
            .select(['q.chainId as chain', 'q.token', 'q.usdPerUnit as rate'])
            .whereRef('q.merchant', '=', 'r.merchant')
            .whereRef('q.receiptId', '=', 'r.id')
            .orderBy('q.createdAt', 'desc')
            .limit(1)
            .as('latest'),
        (join) => join.onTrue(),
      )
      .select([
        'r.id',
        'r.totalCents',
        'r.refundedCents',
        'latest.chain',
        'latest.token',
        'latest.rate',
        (eb) =>
          eb
            .selectFrom('Transfer as t')
            .select(
              sql<Credit[]>`coalesce(jsonb_agg(jsonb_build_object('usd', t.usd)
                order by t.block_time_ms, t.block_number, t.log_index), '[]')`.as('list'),
            )
            .whereRef('t.merchant', '=', 'r.merchant')
            .whereRef('t.receiptId', '=', 'r.id')
            .where('t.canonical', '=', true)
            .$asScalar()
            .$notNull()
            .as('credits'),
      ])
      .where('r.merchant', '=', $.merchant)
      .where(({ ref }) => sql<boolean>`${ref('r.id')} = any(${$.ids})`)
      .where('r.status', '=', 'tx_mismatch'),
  { computed: { credits: 'jsonb' } },
);

type MissingDeps = Pick<Deps, 'db' | 'chain' | 'chains'>;

/**
 * The amount that each receipt in `tx_mismatch` still lacks, in the token quoted last, else in one that counts as US
 * dollars; null for other receipts. In the order of the receipts.
 */
export async function readMissingOf(
  deps: MissingDeps,
  merchant: Wallet,
  receiptIds: readonly string[],
): Promise<(Missing | null)[]> {
  const rows = await deps.db.run(MISSING, { merchant, ids: receiptIds });
  const missing = new Map(rows.map((row) => [row.id, describeMissing(deps, row)]));
  return receiptIds.map((id) => missing.get(id) ?? null);
}

/** The missing amount of one receipt. */
export async function readMissing(deps: MissingDeps, merchant: Wallet, receiptId: string): Promise<Missing | null> {
  const [missing] = await readMissingOf(deps, merchant, [receiptId]);
  return missing ?? null;
}

function describeMissing(deps: MissingDeps, row: RowOf<typeof MISSING>): Missing | null {
  const { missingUsd } = computeBalance(row, row.credits);
  const quoted = tokenOn(deps, row.chain, row.token);
  // Without a quote there is no rate: only a token that counts as US dollars needs none.
  const token = quoted ?? [deps.chain, ...deps.chains].flatMap(({ tokens }) => tokens).find(isAtPar);
  if (!token) return null;
  const amount = askedAmount(missingUsd, atRate(token, (quoted && row.rate) ?? '1'));
  return { usd: missingUsd, token: token.symbol, amount: String(amount), display: toDecimal(amount, token.decimals) };
}
