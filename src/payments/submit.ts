import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { inTransaction, type UnitOfWork } from '../platform/unit-of-work.ts';
import { isWaiting, type ReceiptStatus } from '../receipts/lifecycle.ts';
import { HINT_CHANNEL } from './wake.ts';

export interface Submission {
  readonly merchant: Wallet;
  readonly receiptId: string;
  /** `0x` and 64 hex digits. */
  readonly transactionHash: string;
}

export interface Submitted {
  readonly receiptId: string;
  readonly status: ReceiptStatus;
}

/** A receipt is paid by one transaction or a few; more is somebody trying things out. */
const SUBMISSIONS_MAX = 20;

/** A card provider that stands for a transaction: it says itself that it is the delivery for this receipt. */
export interface Vouched {
  /** `onramp:stripe` */
  readonly by: string;
  /** What it delivers, in base units; null where it does not say. */
  readonly amount: bigint | null;
}

type SubmitDeps = Pick<Deps, 'bus' | 'chain' | 'clock'>;

/**
 * Takes a hint that a transaction may pay a receipt, and has the watcher look there. It is no claim: what pays what, the chain alone says. The same hint
 * again is the same; after the receipt is paid it is passed over. Refuses with `not_found`, and with `invalid_input` for what is no transaction hash or
 * for more than 20 of them.
 */
export async function submitTransaction(
  deps: SubmitDeps & Pick<Deps, 'orm'>,
  submission: Submission,
): Promise<Submitted> {
  if (!/^0x[0-9a-fA-F]{64}$/.test(submission.transactionHash)) {
    throw refuse('invalid_input', 'transactionHash must be 0x followed by 64 hex characters', {
      field: 'transactionHash',
    });
  }
  return inTransaction(deps, (uow) => submitTransactionWithin(deps, uow, submission));
}

/**
 * The same within the caller's transaction, for a hash that is known to be one. A card provider may vouch for it: then whatever amount it brings is this
 * receipt's, how many hints there are does not count, and a hint that was followed in vain is followed again.
 */
export async function submitTransactionWithin(
  deps: SubmitDeps,
  uow: UnitOfWork,
  { merchant, receiptId, transactionHash, vouched }: Submission & { readonly vouched?: Vouched },
): Promise<Submitted> {
  const [receipt] = await uow.sql<{ status: ReceiptStatus }>(
    'select status from receipts where merchant = $1 and id = $2 for update',
    [merchant, receiptId],
  );
  if (!receipt) throw refuse('not_found', 'Receipt not found');
  if (isWaiting(receipt)) {
    const inserted = await uow.sql(
      `insert into submitted_transactions as s (merchant, receipt_id, transaction_hash, chain_id, submitted_at, vouched_by, vouched_amount)
       select $1, $2, $3, $4, $5, $7, $8::numeric
        where $7::text is not null or (select count(*) from submitted_transactions where merchant = $1 and receipt_id = $2) < $6
       on conflict (merchant, receipt_id, transaction_hash) do update
          set vouched_by = excluded.vouched_by, vouched_amount = excluded.vouched_amount, submitted_at = excluded.submitted_at, closed_at = null
        where excluded.vouched_by is not null and s.vouched_by is null
       returning 1`,
      [
        merchant,
        receiptId,
        transactionHash.toLowerCase(),
        deps.chain.chainId,
        deps.clock(),
        SUBMISSIONS_MAX,
        vouched?.by ?? null,
        vouched?.amount ?? null,
      ],
    );
    if (inserted.length === 0) await refuseTooMany(uow, { merchant, receiptId, transactionHash });
    uow.afterCommit(() => deps.bus.publish(HINT_CHANNEL, transactionHash));
  }
  return { receiptId, status: receipt.status };
}

async function refuseTooMany(
  uow: { sql<Row>(text: string, parameters: readonly unknown[]): Promise<Row[]> },
  { merchant, receiptId, transactionHash }: Submission,
): Promise<void> {
  const [known] = await uow.sql(
    'select 1 from submitted_transactions where merchant = $1 and receipt_id = $2 and transaction_hash = $3',
    [merchant, receiptId, transactionHash.toLowerCase()],
  );
  if (!known) {
    throw refuse('invalid_input', `At most ${SUBMISSIONS_MAX} transactions may be submitted for one receipt`);
  }
}
