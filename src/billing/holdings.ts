import { readBalance } from '../chain/balances.ts';
import { assertChainId, reach } from '../chain/client.ts';
import { inTime } from '../chain/in-time.ts';
import { readReleasable } from '../chain/splitter.ts';
import type { Token } from '../chain/tokens.ts';
import type { Recipient } from '../core/shares.ts';
import { BPS_TOTAL } from '../core/shares.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';

/** A merchant's balance of one token, in base units. */
export interface Holding {
  readonly token: Token;
  /** The balance of the merchant's wallet plus what its splits can release now, minus `reserved`. */
  readonly available: bigint;
  /** The merchant's share of payments that are not final (unconfirmed, or with a wrong amount), minus refunds. */
  readonly reserved: bigint;
}

interface OwnSplit {
  readonly address: Wallet;
  readonly recipients: readonly Recipient[];
}

interface NotFinal {
  readonly split: Wallet;
  readonly token: string;
  /** Base units, for all recipients together; minus refunds. */
  readonly amount: string;
}

/** Leaves time for the database within the 2.5 s limit of the answer. */
const CHAIN_TIMEOUT_MS = 1_800;

/**
 * Includes replaced splits, because their balance stays due. Unverified splits are excluded: their shares are unknown.
 */
const SPLITS = statement(
  'billing-splits',
  'select address, recipients from splits where merchant = $1 and chain_id = $2 and verified order by created_at',
);

/**
 * Subtracts proven refunds from the payments that are not final. Each token bears its share of a refund by its value in
 * US dollars.
 */
const NOT_FINAL = statement(
  'billing-not-final',
  `select split, token, sum(amount - coalesce(div(amount * refunded_cents, nullif(usd_cents, 0)), 0))::text as amount
     from (select t.receipt_id, t.pay_to as split, t.token, sum(t.amount) as amount,
                  sum(sum(t.usd::numeric)) over (partition by t.receipt_id) * 100 as usd_cents,
                  (select coalesce(sum(f.proven_cents), 0) from refunds f where f.merchant = $1 and f.receipt_id = t.receipt_id) as refunded_cents
             from transfers t join receipts r on r.merchant = t.merchant and r.id = t.receipt_id
            where t.merchant = $1 and t.chain_id = $2 and t.canonical and r.status in ('tx_mined', 'tx_mismatch')
            group by t.receipt_id, t.pay_to, t.token) not_final
    group by split, token`,
  { slow: true },
);

/**
 * A merchant's balance of every token of the chain, in the chain's order, as of one block. Refuses with
 * `chain_unavailable` if the chain does not answer in time, because an incomplete balance would be worse than none.
 */
export async function readHoldings(
  deps: Pick<Deps, 'sql' | 'chain' | 'settings'>,
  merchant: Wallet,
): Promise<Holding[]> {
  const parameters = [merchant, deps.chain.chainId];
  const [splits, notFinal] = await Promise.all([
    deps.sql.rows<OwnSplit>(SPLITS, parameters),
    deps.sql.rows<NotFinal>(NOT_FINAL, parameters),
  ]);
  const own = splits.filter(({ recipients }) => recipients.some(({ address }) => address === merchant));
  return inTime(readFromChain(deps, merchant, own, notFinal), CHAIN_TIMEOUT_MS);
}

async function readFromChain(
  { chain }: Pick<Deps, 'chain'>,
  merchant: Wallet,
  splits: readonly OwnSplit[],
  notFinal: readonly NotFinal[],
): Promise<Holding[]> {
  const [block] = await Promise.all([reach(chain.client.getBlockNumber()), assertChainId(chain)]);
  return Promise.all(
    chain.tokens.map(async (token): Promise<Holding> => {
      const releasable = splits.map(async ({ address, recipients }) => {
        const due = await readReleasable(chain, address, token.address, recipients, block);
        return due.get(merchant) ?? 0n;
      });
      const parts = await Promise.all([readBalance(chain, merchant, token.address, block), ...releasable]);
      const held = parts.reduce((sum, part) => sum + part, 0n);
      const reserved = reservedOf(merchant, token, splits, notFinal);
      return { token, available: held > reserved ? held - reserved : 0n, reserved };
    }),
  );
}

function reservedOf(
  merchant: Wallet,
  token: Token,
  splits: readonly OwnSplit[],
  notFinal: readonly NotFinal[],
): bigint {
  let reserved = 0n;
  for (const { split, token: symbol, amount } of notFinal) {
    const recipients = splits.find(({ address }) => address === split)?.recipients ?? [];
    const share = recipients.find(({ address }) => address === merchant)?.sharesBps ?? 0;
    if (symbol === token.symbol) reserved += (BigInt(amount) * BigInt(share)) / BigInt(BPS_TOTAL);
  }
  return reserved;
}
