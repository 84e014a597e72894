import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { inTransaction, type UnitOfWork } from '../platform/unit-of-work.ts';
import { HINT_CHANNEL } from '../platform/wake.ts';
import { isWaiting, type ReceiptStatus } from '../receipts/lifecycle.ts';
import { type Claim, verifyClaim } from './claim.ts';

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

/**
 * The maximum number of hints per receipt, counted separately for signed and unsigned hints. A receipt is paid by few
 * transactions; more are attempts.
 */
const SUBMISSIONS_MAX = 20;
/** The maximum number of signers per hint; a transaction's money comes from few wallets. */
const SIGNERS_MAX = 20;

/** A card provider's statement that a transaction is the delivery for this receipt. */
export interface Vouched {
  /** `onramp:stripe` */
  readonly by: string;
  /** The delivered amount in base units; null if the provider does not report it. */
  readonly amount: bigint | null;
}

/** The backing of a hint, if there is any. */
interface Backing {
  readonly vouched?: Vouched;
  /** A wallet with a verified signature. */
  readonly signedBy?: Wallet;
}

type SubmitDeps = Pick<Deps, 'bus' | 'chain' | 'clock'>;

/**
 * Records a hint that a transaction may pay a receipt, and wakes the watcher to check it. Only the chain decides what
 * the transaction pays. If the transfer's own sender has signed the hint (`claim`), the transfer counts for this
 * receipt regardless of its amount, unless the amount is another receipt's quote. A repeated hint changes nothing, and
 * a hint for a paid receipt is ignored. Refuses with `not_found`, with `invalid_input` for a malformed transaction hash
 * or more than 20 unsigned hints, with `invalid_signature`, and with `chain_unavailable` if a smart account's signature
 * cannot be checked.
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
 * Records a hint within the caller's transaction; the hash must be valid. If a card provider vouches for the
 * transaction, it counts for this receipt regardless of its amount, the limit on hints does not apply, and a closed
 * hint is checked again.
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
    const hint = { merchant, receiptId, transactionHash: transactionHash.toLowerCase(), vouched, signedBy };
    await makeRoom(uow, hint);
    const isNew = await storeHint(deps, uow, hint);
    if (isNew) uow.afterCommit(() => deps.bus.publish(HINT_CHANNEL, transactionHash));
  }
  return { receiptId, status: receipt.status };
}

/**
 * Ensures that a receipt has room for a hint. Unsigned hints have their own limit, so that invented hints cannot block
 * a sender's or a provider's hint. If the limit of signed hints is reached, the hint with the most checks is removed,
 * because it is still not on the chain. Refuses with `invalid_input`.
 */
async function makeRoom(
  uow: UnitOfWork,
  { merchant, receiptId, transactionHash, vouched, signedBy }: Submission & Backing,
): Promise<void> {
  if (vouched) return;
  const [places] = await uow.sql<{ known: boolean | null; unsigned: string; signed: string }>(
    `select bool_or(transaction_hash = $3) as known, count(*) filter (where signed_by is null and vouched_by is null) as unsigned,
            count(*) filter (where signed_by is not null) as signed
       from submitted_transactions where merchant = $1 and receipt_id = $2`,
    [merchant, receiptId, transactionHash],
  );
  const taken = Number(signedBy ? places!.signed : places!.unsigned);
  if (places!.known || taken < SUBMISSIONS_MAX) return;
  const freed = signedBy
    ? await uow.sql(
        `delete from submitted_transactions where (merchant, receipt_id, transaction_hash) in (
           select merchant, receipt_id, transaction_hash from submitted_transactions
            where merchant = $1 and receipt_id = $2 and signed_by is not null and vouched_by is null and looks > 0
            order by looks desc, submitted_at limit 1) returning 1`,
        [merchant, receiptId],
      )
    : [];
  if (freed.length === 0) {
    throw refuse('invalid_input', `At most ${SUBMISSIONS_MAX} transactions may be submitted for one receipt`);
  }
}

/** Stores a hint, or adds backing to a stored one. Returns false if nothing changed. */
async function storeHint(
  { chain, clock }: SubmitDeps,
  uow: UnitOfWork,
  { merchant, receiptId, transactionHash, vouched, signedBy }: Submission & Backing,
): Promise<boolean> {
  const now = clock();
  // The newest signers are kept, so that invented signers cannot block the sender.
  const changed = await uow.sql(
    `insert into submitted_transactions as s
            (merchant, receipt_id, transaction_hash, chain_id, submitted_at, vouched_by, vouched_amount, signed_by, looks, next_look_at)
     values ($1, $2, $3, $4, $5, $6, $7::numeric, case when $8::text is not null then array[$8::text] end, 0, $9)
     on conflict (merchant, receipt_id, transaction_hash) do update
        set vouched_by = coalesce(excluded.vouched_by, s.vouched_by), vouched_amount = coalesce(excluded.vouched_amount, s.vouched_amount),
            signed_by = (excluded.signed_by || s.signed_by)[1:${SIGNERS_MAX}],
            submitted_at = excluded.submitted_at, looks = 0, next_look_at = excluded.next_look_at, closed_at = null
      where (excluded.vouched_by is not null and s.vouched_by is null)
         or (excluded.signed_by is not null and not coalesce(s.signed_by, '{}') @> excluded.signed_by)
     returning 1`,
    [
      merchant,
      receiptId,
      transactionHash,
      chain.chainId,
      now,
      vouched?.by ?? null,
      vouched?.amount ?? null,
      signedBy ?? null,
      // Hints with backing are checked first.
      vouched || signedBy ? 0 : now,
    ],
  );
  return changed.length > 0;
}
