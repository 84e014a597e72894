import { dueAt, owedFor, readReceived } from '../chain/splitter.ts';
import { BPS_TOTAL } from '../core/shares.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { inTransaction, type UnitOfWork } from '../platform/unit-of-work.ts';
import { type Place, type PlaceWalk, type Rests, visitPlaces } from './place-walk.ts';

type OwedDeps = Pick<Deps, 'orm' | 'sql' | 'chain' | 'clock' | 'log'>;

/**
 * Computes what each payee is owed for payments that have become final. The contract reports its total receipts;
 * subtracting later transfers gives its total at the time of a payment. Both are read at a block of full depth, up to
 * which every transfer is stored.
 */
export async function computeOwed(
  deps: OwedDeps & { readonly rests: Rests },
  walk: PlaceWalk,
  confirmed: number,
): Promise<void> {
  await visitPlaces(deps, 'reckon', await walk(), (place) => computePlace(deps, place, confirmed));
}

/** Returns whether a share was computed. */
async function computePlace(deps: OwedDeps, { split, token }: Place, confirmed: number): Promise<boolean> {
  const known = deps.chain.tokens.find(({ symbol }) => symbol === token);
  if (!known) return false;
  const received = await readReceived(deps.chain, split, known.address, BigInt(confirmed));
  let computed = false;
  let last: Pick<OpenShare, 'merchant' | 'receiptId' | 'payee'> = {
    merchant: '' as Wallet,
    receiptId: '',
    payee: '' as Wallet,
  };
  for (;;) {
    const page = await inTransaction(deps, async (uow) => {
      const after = [last.merchant, last.receiptId, last.payee];
      const shares = await uow.sql<OpenShare>(OPEN_SHARES, [deps.chain.chainId, split, token, ...after]);
      let changed = false;
      for (const [, parts] of Map.groupBy(shares, ({ merchant, receiptId }) => `${merchant}/${receiptId}`)) {
        if (await computeReceipt(deps, uow, parts, { split, token, received, confirmed })) changed = true;
      }
      return { shares, changed };
    });
    computed ||= page.changed;
    if (page.shares.length < PAGE) return computed;
    last = page.shares.at(-1)!;
  }
}

interface Reading extends Place {
  /** Base units that the splitter received in total, up to the block `confirmed`. */
  readonly received: bigint;
  readonly confirmed: number;
}

/** Stores what each payee is owed for one receipt's payments at one place. Returns false if that is not known yet. */
async function computeReceipt(
  deps: OwedDeps,
  uow: UnitOfWork,
  shares: readonly OpenShare[],
  { split, token, received, confirmed }: Reading,
): Promise<boolean> {
  const { merchant, receiptId } = shares[0]!;
  const place = [merchant, receiptId, deps.chain.chainId, split, token];
  const parts = await uow.sql<Part>(PARTS, [...place, confirmed]);
  if (parts.length === 0) return false;
  const totals = parts.map(({ amount, laterSum }) => {
    const after = received - BigInt(laterSum);
    return { before: after - BigInt(amount), after };
  });
  if (totals.some(({ before }) => before < 0n)) {
    deps.log.error({ split, receiptId }, 'splitter received less than the sum of its transfers');
    return false;
  }
  for (const { payee, sharesBps } of shares) {
    const owed = totals.reduce((sum, { before, after }) => sum + owedFor(before, after, sharesBps, BPS_TOTAL), 0n);
    const releasedAtLeast = dueAt(totals.at(-1)!.after, sharesBps, BPS_TOTAL);
    await uow.sql(
      `update settlement_shares set owed = $6, released_at_least = $7
        where merchant = $1 and receipt_id = $2 and split = $3 and token = $4 and payee = $5`,
      [merchant, receiptId, split, token, payee, owed, releasedAtLeast],
    );
  }
  return true;
}

interface OpenShare {
  readonly merchant: Wallet;
  readonly receiptId: string;
  readonly payee: Wallet;
  readonly sharesBps: number;
}

const PAGE = 1_000;

const OPEN_SHARES = `
  select merchant, receipt_id as "receiptId", payee, shares_bps as "sharesBps" from settlement_shares
   where chain_id = $1 and split = $2 and token = $3 and settled_at is null and owed is null
     and (merchant, receipt_id, payee) > ($4, $5, $6)
   order by merchant, receipt_id, payee limit ${PAGE} for update`;

/** One transfer of the receipt, and the sum of all later transfers to the same place. */
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
