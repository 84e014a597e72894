import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { inTransaction, type UnitOfWork } from '../platform/unit-of-work.ts';
import { isWaiting, type ReceiptStatus } from '../receipts/lifecycle.ts';
import { type Claim, verifyClaim } from './claim.ts';
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

/** A receipt is paid by one transaction or a few, and each is sent by one wallet; more is somebody trying things out. */
const SUBMISSIONS_MAX = 20;

/** A card provider that stands for a transaction: it says itself that it is the delivery for this receipt. */
export interface Vouched {
  /** `onramp:stripe` */
  readonly by: string;
  /** What it delivers, in base units; null where it does not say. */
  readonly amount: bigint | null;
}

/** Who stands for a hint, where anybody does. */
interface Backing {
  readonly vouched?: Vouched;
  /** A wallet that has proven to have signed it. */
  readonly signedBy?: Wallet;
}

type SubmitDeps = Pick<Deps, 'bus' | 'chain' | 'clock'>;

/**
 * Takes a hint that a transaction may pay a receipt, and has the watcher look there. It is no claim: what pays what, the chain alone says. Only where the
 * transfer's own sender has signed it (`claim`) is whatever amount it brings this receipt's, unless that is another receipt's quote. The same hint again is
 * the same; after the receipt is paid it is passed over. Refuses with `not_found`, with `invalid_input` for what is no transaction hash or for more than 20
 * of them, with `invalid_signature`, and with `chain_unavailable` where a smart account's signature cannot be checked.
 */
export async function submitTransaction(
  deps: SubmitDeps & Pick<Deps, 'orm'>,
  { claim, ...submission }: Submission & { readonly claim?: Claim },
): Promise<Submitted> {
  if (!/^0x[0-9a-fA-F]{64}$/.test(submission.transactionHash)) {
    throw refuse('invalid_input', 'transactionHash must be 0x followed by 64 hex characters', {
      field: 'transactionHash',
    });
  }
  if (claim) await verifyClaim(deps, submission, claim);
  return inTransaction(deps, (uow) => submitTransactionWithin(deps, uow, { ...submission, signedBy: claim?.signer }));
}

/**
 * The same within the caller's transaction, for a hash that is known to be one. A card provider may vouch for it: then whatever amount it brings is this
 * receipt's, how many hints there are does not count, and a hint that was followed in vain is followed again.
 */
export async function submitTransactionWithin(
  deps: SubmitDeps,
  uow: UnitOfWork,
  { merchant, receiptId, transactionHash, vouched, signedBy }: Submission & Backing,
): Promise<Submitted> {
  const [receipt] = await uow.sql<{ status: ReceiptStatus }>(
    'select status from receipts where merchant = $1 and id = $2 for update',
    [merchant, receiptId],
  );
  if (!receipt) throw refuse('not_found', 'Receipt not found');
  if (isWaiting(receipt)) {
    const inserted = await uow.sql(
      `insert into submitted_transactions as s (merchant, receipt_id, transaction_hash, chain_id, submitted_at, vouched_by, vouched_amount, signed_by)
       select $1, $2, $3, $4, $5, $7, $8::numeric, case when $9::text is not null then array[$9::text] end
        where $7::text is not null or (select count(*) from submitted_transactions where merchant = $1 and receipt_id = $2 and transaction_hash <> $3) < $6
       on conflict (merchant, receipt_id, transaction_hash) do update
          set vouched_by = coalesce(excluded.vouched_by, s.vouched_by), vouched_amount = coalesce(excluded.vouched_amount, s.vouched_amount),
              signed_by = s.signed_by || excluded.signed_by, submitted_at = excluded.submitted_at, closed_at = null
        where (excluded.vouched_by is not null and s.vouched_by is null)
           or (excluded.signed_by is not null and not coalesce(s.signed_by, '{}') @> excluded.signed_by and cardinality(coalesce(s.signed_by, '{}')) < $6)
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
        signedBy ?? null,
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
