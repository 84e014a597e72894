import { dueAt, owedFor, readReceived } from '../chain/splitter.ts';
import { BPS_TOTAL } from '../core/shares.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import { inTransaction } from '../platform/unit-of-work.ts';

type OwedDeps = Pick<Deps, 'orm' | 'sql' | 'chain' | 'clock' | 'log'>;

/** Where something was paid of which it is not known yet what each payee is owed. */
interface Place {
  readonly split: Wallet;
  readonly token: string;
}

const UNRECKONED = statement(
  'payments-unreckoned',
  `select distinct split, token from settlement_shares where chain_id = $1 and settled_at is null and owed is null limit 100`,
);

/**
 * Reckons what each payee is owed of payments that have become final. The contract knows what it ever received; less what came after a payment, that is
 * its total with the payment. Read at a block of full depth, up to which every transfer is known.
 */
export async function reckonOwed(deps: OwedDeps, confirmed: number): Promise<void> {
  const places = await deps.sql.rows<Place>(UNRECKONED, [deps.chain.chainId]);
  for (const place of places) await reckonPlace(deps, place, confirmed);
}

async function reckonPlace(deps: OwedDeps, { split, token }: Place, confirmed: number): Promise<void> {
  const known = deps.chain.tokens.find(({ symbol }) => symbol === token);
  if (!known) return;
  const received = await readReceived(deps.chain, split, known.address, BigInt(confirmed));
  await inTransaction(deps, async (uow) => {
    const shares = await uow.sql<OpenShare>(OPEN_SHARES, [deps.chain.chainId, split, token]);
    const receipts = new Map(shares.map(({ merchant, receiptId }) => [receiptId, { merchant, receiptId }]));
    for (const receipt of receipts.values()) {
      const parts = await uow.sql<Part>(PARTS, [
        receipt.merchant,
        receipt.receiptId,
        deps.chain.chainId,
        split,
        token,
        confirmed,
      ]);
      if (parts.length === 0) continue;
      const totals = parts.map(({ amount, laterSum }) => {
        const after = received - BigInt(laterSum);
        return { before: after - BigInt(amount), after };
      });
      if (totals.some(({ before }) => before < 0n)) {
        deps.log.error({ split, receiptId: receipt.receiptId }, 'a splitter has received less than its transfers say');
        continue;
      }
      for (const share of shares.filter(({ receiptId }) => receiptId === receipt.receiptId)) {
        const owed = totals.reduce(
          (sum, { before, after }) => sum + owedFor(before, after, share.sharesBps, BPS_TOTAL),
          0n,
        );
        const releasedAtLeast = dueAt(totals.at(-1)!.after, share.sharesBps, BPS_TOTAL);
        await uow.sql(
          `update settlement_shares set owed = $6, released_at_least = $7
            where merchant = $1 and receipt_id = $2 and split = $3 and token = $4 and payee = $5`,
          [receipt.merchant, receipt.receiptId, split, token, share.payee, owed, releasedAtLeast],
        );
      }
    }
  });
}

interface OpenShare {
  readonly merchant: Wallet;
  readonly receiptId: string;
  readonly payee: Wallet;
  readonly sharesBps: number;
}

const OPEN_SHARES = `
  select merchant, receipt_id as "receiptId", payee, shares_bps as "sharesBps" from settlement_shares
   where chain_id = $1 and split = $2 and token = $3 and settled_at is null and owed is null
   order by merchant, receipt_id, payee limit 1000 for update`;

/** One transfer of the receipt, and all that came to the same place after it. */
interface Part {
  readonly amount: string;
  readonly laterSum: string;
}

const PARTS = `
  select t.amount, coalesce((select sum(l.amount) from transfers l
                              where l.chain_id = t.chain_id and l.pay_to = t.pay_to and l.token = t.token and l.canonical
                                and (l.block_number, l.log_index) > (t.block_number, t.log_index) and l.block_number <= $6), 0)::numeric(78,0) as "laterSum"
    from transfers t
   where t.merchant = $1 and t.receipt_id = $2 and t.chain_id = $3 and t.pay_to = $4 and t.token = $5 and t.canonical and t.block_number <= $6
   order by t.block_number, t.log_index`;
