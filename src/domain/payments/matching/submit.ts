import { sql } from 'kysely';
import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { chainOf, onChain } from '../../../base/platform/on-chain.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { HINT_CHANNEL } from '../../../base/platform/wake.ts';
import { isWaiting, type ReceiptStatus } from '../../sales/receipts/lifecycle.ts';
import { touchReceipt } from '../../sales/receipts/touch.ts';
import { type Claim, verifyClaim } from './claim.ts';

export interface Submission {
  readonly merchant: Wallet;
  readonly receiptId: string;
  /** `0x` and 64 hex digits. */
  readonly transactionHash: string;
  /** The chain of the transaction; without it the one that the receipt was quoted on last. */
  readonly chainId?: number | null;
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

/** The backing of a hint, if there is any. */
interface Backing {
  /** The card provider that has delivered with the transaction, as `onramp:stripe`. */
  readonly vouchedBy?: string;
  /** A wallet with a verified signature. */
  readonly signedBy?: Wallet;
}

interface NewHint extends HintsOf, Backing {
  readonly transactionHash: `0x${string}`;
}

type SubmitDeps = Pick<Deps, 'bus' | 'chain' | 'chains' | 'clock'>;

/**
 * Records a hint that a transaction may pay a receipt, and wakes the watcher to look at it. Only the chain decides
 * what the transaction pays. A transfer straight to the split counts for this receipt if its own sender has signed the
 * hint (`claim`). A repeated hint changes nothing, and a hint for a paid receipt is ignored. Refuses with `not_found`,
 * with `invalid_input` for a malformed transaction hash or more than 20 unsigned hints, with `invalid_signature`, and
 * with `chain_unavailable` if a smart account's signature cannot be checked.
 */
export async function submitTransaction(
  base: SubmitDeps & Pick<Deps, 'db'>,
  { claim, ...submission }: Submission & { readonly claim?: Claim },
): Promise<Submitted> {
  if (!/^0x[0-9a-fA-F]{64}$/.test(submission.transactionHash)) {
    throw refuse('invalid_input', 'transactionHash must be 0x followed by 64 hex characters', {
      field: 'transactionHash',
    });
  }
  const deps = onChain(base, submission.chainId ?? (await quotedChain(base, submission)));
  if (claim) await verifyClaim(deps.chain, submission, claim);
  return deps.db.transaction((uow) => submitTransactionWithin(deps, uow, { ...submission, signedBy: claim?.signer }));
}

/**
 * Records a hint within the caller's transaction; the hash must be valid. To a card provider's delivery the limit on
 * hints does not apply, and it is checked again if it was closed.
 */
export async function submitTransactionWithin(
  deps: SubmitDeps,
  uow: UnitOfWork,
  { merchant, receiptId, transactionHash, vouchedBy, signedBy }: Submission & Backing,
): Promise<Submitted> {
  const receipt = await uow.db
    .selectFrom('Receipt')
    .select('status')
    .where('merchant', '=', merchant)
    .where('id', '=', receiptId)
    .forUpdate()
    .executeTakeFirst();
  if (!receipt) throw refuse('not_found', 'Receipt not found');
  if (isWaiting(receipt)) {
    const hash = transactionHash.toLowerCase() as `0x${string}`;
    const hint = { merchant, receiptId, transactionHash: hash, vouchedBy, signedBy };
    await makeRoom(uow, hint);
    const isNew = await storeHint(deps, uow, hint);
    if (isNew) {
      await touchReceipt(uow, merchant, receiptId);
      uow.afterCommit(() => deps.bus.publish(HINT_CHANNEL, transactionHash));
    }
  }
  return { receiptId, status: receipt.status };
}

const QUOTED_CHAIN = query('payments-quoted-chain', (db, $: HintsOf) =>
  db
    .selectFrom('Quote')
    .select('chainId')
    .where('merchant', '=', $.merchant)
    .where('receiptId', '=', $.receiptId)
    .orderBy('createdAt', 'desc')
    .limit(1),
);

/** The chain that a receipt was quoted on last; null if it was not quoted, or the chain is not configured any more. */
async function quotedChain(
  deps: SubmitDeps & Pick<Deps, 'db'>,
  { merchant, receiptId }: Submission,
): Promise<number | null> {
  if (deps.chains.length === 1) return null;
  const [quote] = await deps.db.run(QUOTED_CHAIN, { merchant, receiptId });
  return quote && chainOf(deps, quote.chainId) ? quote.chainId : null;
}

interface HintsOf {
  readonly merchant: Wallet;
  readonly receiptId: string;
}

const PLACES = query(
  'payments-hint-places',
  (db, $: HintsOf & { transactionHash: `0x${string}` }) =>
    db
      .selectFrom('SubmittedTransaction')
      .select(({ fn, ref }) => [
        sql<boolean | null>`bool_or(${ref('transactionHash')} = ${$.transactionHash})`.as('isKnown'),
        fn.countAll<number>().filterWhere('signedBy', 'is', null).filterWhere('vouchedBy', 'is', null).as('unsigned'),
        fn.countAll<number>().filterWhere('signedBy', 'is not', null).as('signed'),
      ])
      .where('merchant', '=', $.merchant)
      .where('receiptId', '=', $.receiptId),
  { computed: { isKnown: 'bool', unsigned: 'int8', signed: 'int8' } },
);

/** Deletes the signed hint with the most checks. */
const FREE_SIGNED = query('payments-free-signed-hint', (db, $: HintsOf) =>
  db
    .deleteFrom('SubmittedTransaction')
    .where('merchant', '=', $.merchant)
    .where('receiptId', '=', $.receiptId)
    .where('transactionHash', '=', ({ selectFrom }) =>
      selectFrom('SubmittedTransaction as s')
        .select('s.transactionHash')
        .where('s.merchant', '=', $.merchant)
        .where('s.receiptId', '=', $.receiptId)
        .where('s.signedBy', 'is not', null)
        .where('s.vouchedBy', 'is', null)
        .where('s.looks', '>', 0)
        .orderBy('s.looks', 'desc')
        .orderBy('s.submittedAt')
        .limit(1),
    )
    .returning('transactionHash'),
);

/**
 * Ensures that a receipt has room for a hint. Unsigned hints have their own limit, so that invented hints cannot block
 * a sender's or a provider's hint. If the limit of signed hints is reached, the hint with the most checks is removed,
 * because it is still not on the chain. Refuses with `invalid_input`.
 */
async function makeRoom(
  uow: UnitOfWork,
  { merchant, receiptId, transactionHash, vouchedBy, signedBy }: NewHint,
): Promise<void> {
  if (vouchedBy) return;
  const hints = { merchant, receiptId };
  const [places] = await uow.run(PLACES, { ...hints, transactionHash });
  const taken = signedBy ? places!.signed : places!.unsigned;
  if (places!.isKnown || taken < SUBMISSIONS_MAX) return;
  const freed = signedBy ? await uow.run(FREE_SIGNED, hints) : [];
  if (freed.length === 0) {
    throw refuse('invalid_input', `At most ${SUBMISSIONS_MAX} transactions may be submitted for one receipt`, {
      reason: 'too_many',
      most: SUBMISSIONS_MAX,
    });
  }
}

interface StoredHint extends HintsOf {
  readonly transactionHash: `0x${string}`;
  readonly chainId: number;
  readonly submittedAt: number;
  readonly vouchedBy: string | null;
  readonly signedBy: readonly Wallet[] | null;
  readonly nextLookAt: number;
}

/** The newest signers are kept, so that invented signers cannot block the sender. */
const STORE = query('payments-store-hint', (db, $: StoredHint) =>
  db
    .insertInto('SubmittedTransaction')
    .values({
      merchant: $.merchant,
      receiptId: $.receiptId,
      transactionHash: $.transactionHash,
      chainId: $.chainId,
      submittedAt: $.submittedAt,
      vouchedBy: $.vouchedBy,
      signedBy: sql<Wallet[] | null>`${$.signedBy}`,
      looks: 0,
      nextLookAt: $.nextLookAt,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['merchant', 'receiptId', 'transactionHash'])
        .doUpdateSet(({ fn, ref }) => ({
          vouchedBy: fn.coalesce('excluded.vouchedBy', 'SubmittedTransaction.vouchedBy'),
          // Backing knows the chain better than the report that came first. A provider knows it best.
          chainId: sql<number>`case when ${ref('excluded.vouchedBy')} is null
            and ${ref('SubmittedTransaction.vouchedBy')} is not null
            then ${ref('SubmittedTransaction.chainId')} else ${ref('excluded.chainId')} end`,
          signedBy: sql<Wallet[]>`(${ref('excluded.signedBy')}
            || array_remove(${ref('SubmittedTransaction.signedBy')}, (${ref('excluded.signedBy')})[1]))
            [1:${sql.lit(SIGNERS_MAX)}]`,
          submittedAt: ref('excluded.submittedAt'),
          looks: 0,
          nextLookAt: ref('excluded.nextLookAt'),
          closedAt: null,
        }))
        .where(({ and, or, eb, ref }) =>
          or([
            and([eb('excluded.vouchedBy', 'is not', null), eb('SubmittedTransaction.vouchedBy', 'is', null)]),
            and([
              eb('excluded.signedBy', 'is not', null),
              sql<boolean>`(not coalesce(${ref('SubmittedTransaction.signedBy')}, '{}') @> ${ref('excluded.signedBy')}
                or ${ref('SubmittedTransaction.vouchedBy')} is null
                   and ${ref('SubmittedTransaction.chainId')} <> ${ref('excluded.chainId')})`,
            ]),
          ]),
        ),
    )
    .returning('transactionHash'),
);

/** Stores a hint, or adds backing to a stored one. Returns false if nothing changed. */
async function storeHint({ chain, clock }: SubmitDeps, uow: UnitOfWork, hint: NewHint): Promise<boolean> {
  const { vouchedBy, signedBy } = hint;
  const now = clock();
  const changed = await uow.run(STORE, {
    merchant: hint.merchant,
    receiptId: hint.receiptId,
    transactionHash: hint.transactionHash,
    chainId: chain.chainId,
    submittedAt: now,
    vouchedBy: vouchedBy ?? null,
    signedBy: signedBy ? [signedBy] : null,
    // Hints with backing are checked first.
    nextLookAt: vouchedBy || signedBy ? 0 : now,
  });
  return changed.length > 0;
}
