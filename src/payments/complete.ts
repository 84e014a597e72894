import { readReleased } from '../chain/splitter.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import { inTransaction } from '../platform/unit-of-work.ts';
import { lockReceipt, recordChange } from '../receipts/record-change.ts';

type CompleteDeps = Pick<Deps, 'orm' | 'sql' | 'boss' | 'bus' | 'chain' | 'clock' | 'log'>;

/** A split that still owes something in a token, and to whom. */
interface OpenPlace {
  readonly split: Wallet;
  readonly token: string;
  readonly payees: readonly Wallet[];
}

/** Each look asks the chain about so many places; where recipients release for themselves, and late, there may be very many. */
const AT_ONCE = 50;

const OPEN_PLACES = statement(
  'payments-open-places',
  `select split, token, array_agg(distinct payee) as payees from settlement_shares
    where chain_id = $1 and settled_at is null and owed is not null and split || '/' || token > $2
    group by split, token order by split || '/' || token limit ${AT_ONCE}`,
);

/** Goes round all open places, look by look. */
export interface Round {
  after: string;
}

/** Marks the shares that the chain, at a block of full depth, has released, and completes the receipts of which nothing is left to release. */
export async function completeReceipts(deps: CompleteDeps, round: Round, confirmed: number): Promise<void> {
  const places = await deps.sql.rows<OpenPlace>(OPEN_PLACES, [deps.chain.chainId, round.after]);
  const last = places.at(-1);
  round.after = last && places.length === AT_ONCE ? `${last.split}/${last.token}` : '';
  for (const place of places) await settlePlace(deps, place, confirmed);
}

const SETTLE = `
  update settlement_shares o set settled_at = $4
    from unnest($5::text[], $6::numeric[]) as r(payee, released)
   where o.chain_id = $1 and o.split = $2 and o.token = $3 and o.payee = r.payee and o.settled_at is null and o.released_at_least <= r.released
  returning o.merchant, o.receipt_id as "receiptId"`;

async function settlePlace(deps: CompleteDeps, { split, token, payees }: OpenPlace, confirmed: number): Promise<void> {
  const known = deps.chain.tokens.find(({ symbol }) => symbol === token);
  if (!known) return;
  const released = await readReleased(deps.chain, split, known.address, payees, BigInt(confirmed));
  const settled = await inTransaction(deps, (uow) =>
    uow.sql<{ merchant: Wallet; receiptId: string }>(SETTLE, [
      deps.chain.chainId,
      split,
      token,
      deps.clock(),
      [...released.keys()],
      [...released.values()].map(String),
    ]),
  );
  const receipts = new Map(settled.map((share) => [`${share.merchant}/${share.receiptId}`, share]));
  for (const { merchant, receiptId } of receipts.values()) await completeIfSettled(deps, merchant, receiptId);
}

/** Whether nothing of the receipt's money is left: every share is settled, and all of it went through splits that have shares. */
const UNSETTLED = `
  select 1 from settlement_shares where merchant = $1 and receipt_id = $2 and settled_at is null
  union all
  select 1 from transfers t where t.merchant = $1 and t.receipt_id = $2 and t.canonical and not exists (
    select 1 from settlement_shares o where o.merchant = $1 and o.receipt_id = $2 and o.split = t.pay_to and o.token = t.token)
  limit 1`;

async function completeIfSettled(deps: CompleteDeps, merchant: Wallet, receiptId: string): Promise<void> {
  await inTransaction(deps, async (uow) => {
    const receipt = await lockReceipt(uow, merchant, receiptId);
    if (receipt?.status !== 'paid') return;
    const [unsettled] = await uow.sql(UNSETTLED, [merchant, receiptId]);
    if (unsettled) return;
    await recordChange(deps, uow, receipt, { kind: 'status', to: 'completed' }, { actor: 'settlement' });
  });
}
