import { sql } from 'kysely';
import type { Token } from '../../../base/chain/token.ts';
import { BPS_TOTAL } from '../../../base/core/shares.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { type Holding, readHoldings } from './holdings.ts';

/** The period that a recommendation covers. */
export const WINDOW_DAYS = 30;
const DAY_MS = 24 * 3_600_000;

/** Recommended reserve for future refunds, on top of past refunds: 5 % of payouts. */
const PAYOUT_BPS = 500;

/** The recommended reserve of one token and its basis, in base units. */
export interface Recommendation {
  readonly token: Token;
  readonly target: bigint;
  /** Refunded to buyers in the window. */
  readonly refunded: bigint;
  /** Paid out to the merchant by its splits in the window. */
  readonly paidOut: bigint;
}

/** The window's proven refunds and payouts, by token. */
const FLOWS = query(
  'reserve-flows',
  (db, $: { merchant: Wallet; chainId: number; since: number }) =>
    db
      .selectFrom((eb) =>
        eb
          .selectFrom('RefundTransfer as f')
          .select(['f.token as token', 'f.amount as refunded', sql<string>`0`.as('payout')])
          .where('f.merchant', '=', $.merchant)
          .where('f.chainId', '=', $.chainId)
          .where('f.createdAt', '>=', $.since)
          .unionAll((refunds) =>
            refunds
              .selectFrom('SettlementShare as s')
              .select(['s.token as token', sql<string>`0`.as('refunded'), sql<string>`s.owed`.as('payout')])
              .where('s.merchant', '=', $.merchant)
              .where('s.payee', '=', $.merchant)
              .where('s.chainId', '=', $.chainId)
              .where('s.settledAt', '>=', $.since)
              .where('s.owed', 'is not', null),
          )
          .as('flows'),
      )
      .select(['token', sql<string>`sum(refunded)::text`.as('refunded'), sql<string>`sum(payout)::text`.as('paidOut')])
      .groupBy('token'),
  { computed: { token: 'text', refunded: 'text', paidOut: 'text' }, slow: true, replica: true },
);

/** The recommended reserve of every token of the chain, from the merchant's last 30 days. Does not query the chain. */
export async function recommendReserve(
  deps: Pick<Deps, 'db' | 'chain' | 'clock'>,
  merchant: Wallet,
): Promise<Recommendation[]> {
  const { chainId, tokens } = deps.chain;
  const flows = await deps.db.run(FLOWS, { merchant, chainId, since: deps.clock() - WINDOW_DAYS * DAY_MS });
  return tokens.map((token) => {
    const flow = flows.find(({ token: symbol }) => symbol === token.symbol);
    const refunded = BigInt(flow?.refunded ?? 0);
    const paidOut = BigInt(flow?.paidOut ?? 0);
    return { token, target: targetOf(refunded, paidOut), refunded, paidOut };
  });
}

/** Refunds plus 5 % of payouts, rounded up, in base units. */
const targetOf = (refunded: bigint, paidOut: bigint): bigint =>
  refunded + (paidOut * BigInt(PAYOUT_BPS) + BigInt(BPS_TOTAL - 1)) / BigInt(BPS_TOTAL);

/** The current reserve of one token and its recommended size, in base units. */
export interface ReserveBalance {
  readonly token: Token;
  readonly reserved: bigint;
  readonly target: bigint;
}

/** A merchant's current and recommended reserve of every token. Refuses with `chain_unavailable`. */
export async function readReserve(
  deps: Pick<Deps, 'db' | 'chain' | 'settings' | 'clock'>,
  merchant: Wallet,
): Promise<ReserveBalance[]> {
  const [holdings, recommended] = await Promise.all([readHoldings(deps, merchant), recommendReserve(deps, merchant)]);
  return recommended.map(({ token, target }, i) => {
    const { available } = holdings[i] as Holding;
    return { token, reserved: available, target };
  });
}
