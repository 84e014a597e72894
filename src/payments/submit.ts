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

/** A receipt is paid by one transaction or a few; more are attempts. Counted apart for hints that a sender has signed and for those that nobody has. */
const SUBMISSIONS_MAX = 20;
/** A transaction's money comes from one wallet or a few. */
const SIGNERS_MAX = 20;

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
 * unsigned ones, with `invalid_signature`, and with `chain_unavailable` where a smart account's signature cannot be checked.
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
    const hint = { merchant, receiptId, transactionHash: transactionHash.toLowerCase(), vouched, signedBy };
    await makeRoom(uow, hint);
    const isNew = await keepHint(deps, uow, hint);
    if (isNew) uow.afterCommit(() => deps.bus.publish(HINT_CHANNEL, transactionHash));
  }
  return { receiptId, status: receipt.status };
}

/**
 * Makes sure that a receipt has room for a hint. Hints that nobody stands for have their own places, so that invented ones never keep a sender from signing
 * or a provider from vouching. Where all places of signed hints are taken, the one that was looked up most makes room: it is still not on the chain. Refuses
 * with `invalid_input`.
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

/** Writes a hint, or adds to a known one who stands for it. False where it says nothing new. */
async function keepHint(
  { chain, clock }: SubmitDeps,
  uow: UnitOfWork,
  { merchant, receiptId, transactionHash, vouched, signedBy }: Submission & Backing,
): Promise<boolean> {
  const now = clock();
  // The newest signers stay: invented ones never keep the sender from signing.
  const kept = await uow.sql(
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
      // What somebody stands for is looked up before all else.
      vouched || signedBy ? 0 : now,
    ],
  );
  return kept.length > 0;
}
