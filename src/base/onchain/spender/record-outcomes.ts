import { sql } from 'kysely';
import type { Hash } from 'viem';
import type { Wallet } from '../../core/wallet.ts';
import { query } from '../../platform/postgres/query.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';
import { TRANSACTION, type TransactionState } from './lifecycle.ts';
import type { LaneDeps } from './spender.ts';
import type { Purpose, TransactionOutcome } from './spender-transaction.entity.ts';

interface Known {
  readonly nonce: number;
  readonly purpose: Purpose;
  readonly subjectId: string;
  readonly outcome: TransactionOutcome | null;
}

/**
 * Records the new states of transactions, and hands their outcomes to the handlers, in one database transaction.
 * Idempotent and safe for concurrent processes. A reorg alone undoes nothing, because the transaction is sent again;
 * only a different outcome does.
 *
 * @returns the outcomes that are new
 */
export async function recordOutcomes(
  deps: LaneDeps,
  sender: Wallet,
  handlers: OutcomeHandlers,
  landed: readonly Landed[],
): Promise<Outcome[]> {
  if (landed.length === 0) return [];
  return deps.db.transaction(async (uow) => {
    const byNonce = new Map(landed.map((one) => [one.nonce, one]));
    const known = await withoutPostponed(
      uow,
      handlers,
      byNonce,
      await lockUnfinished(deps, uow, sender, [...byNonce.keys()]),
    );
    await moveTransactions(
      deps,
      uow,
      sender,
      known.map(({ nonce }) => byNonce.get(nonce)!),
    );
    const changed = known.flatMap(({ nonce, purpose, subjectId, outcome: before }): Outcome[] => {
      const { outcome, minedHash, atMs } = byNonce.get(nonce)!;
      return outcome === null || outcome === before ? [] : [{ purpose, subjectId, nonce, outcome, minedHash, atMs }];
    });
    for (const [purpose, outcomes] of Map.groupBy(changed, (one) => one.purpose))
      await handlers[purpose]?.record?.(uow, outcomes);
    return changed;
  });
}

const lockUnfinished = (
  { chain }: LaneDeps,
  uow: UnitOfWork,
  sender: Wallet,
  nonces: readonly number[],
): Promise<Known[]> =>
  uow.db
    .selectFrom('SpenderTransaction')
    .select(['nonce', 'purpose', 'subjectId', 'outcome'])
    .where('chainId', '=', chain.chainId)
    .where('sender', '=', sender)
    .where('nonce', 'in', nonces)
    .where('state', '<>', 'final')
    .orderBy('nonce')
    .forUpdate()
    .execute();

/** Leaves out the transactions that succeeded, have failed now, and whose handlers do not accept that yet. */
async function withoutPostponed(
  uow: UnitOfWork,
  handlers: OutcomeHandlers,
  landed: ReadonlyMap<number, Landed>,
  known: readonly Known[],
): Promise<readonly Known[]> {
  const undone = known.filter(({ nonce, outcome }) => {
    const now = landed.get(nonce)!.outcome;
    return outcome === 'success' && (now === 'reverted' || now === 'voided');
  });
  const left = new Set<Known>();
  for (const [purpose, some] of Map.groupBy(undone, (one) => one.purpose)) {
    const ids = some.map(({ subjectId }) => subjectId);
    const postponed = (await handlers[purpose]?.postponed?.(uow, ids)) ?? [];
    for (const one of some) if (postponed.includes(one.subjectId)) left.add(one);
  }
  return known.filter((one) => !left.has(one));
}

interface Moves {
  chainId: number;
  sender: Wallet;
  now: number;
  nonces: readonly number[];
  states: readonly string[];
  outcomes: readonly (string | null)[];
  hashes: readonly (string | null)[];
  blocks: readonly (number | null)[];
}

/** Which state may follow which, as a list of pairs. */
const MAY_MOVE = sql.join(
  TRANSACTION.statuses.flatMap((from) => TRANSACTION.moves[from].map((to) => sql`(${sql.lit(from)}, ${sql.lit(to)})`)),
);

const MOVE = query('transactions-move', (db, $: Moves) =>
  db
    .updateTable('SpenderTransaction')
    .from(
      sql<Pick<Landed, 'nonce' | 'state' | 'outcome' | 'minedHash' | 'minedBlock'>>`unnest(${$.nonces}::bigint[],
        ${$.states}::text[], ${$.outcomes}::text[], ${$.hashes}::text[], ${$.blocks}::bigint[])`.as<'l'>(
        sql`l(nonce, state, outcome, mined_hash, mined_block)`,
      ),
    )
    .set((eb) => ({
      state: eb.ref('l.state'),
      outcome: eb.fn.coalesce('l.outcome', 'SpenderTransaction.outcome'),
      minedHash: eb.ref('l.minedHash'),
      minedBlock: eb.ref('l.minedBlock'),
      // A transaction that was in a block is sent again at once.
      sentBlock: eb.case().when('l.state', '=', 'open').then(null).else(eb.ref('SpenderTransaction.sentBlock')).end(),
      updatedAt: $.now,
    }))
    .where('SpenderTransaction.chainId', '=', $.chainId)
    .where('SpenderTransaction.sender', '=', $.sender)
    .whereRef('SpenderTransaction.nonce', '=', 'l.nonce')
    .where((eb) => sql<boolean>`(${eb.ref('SpenderTransaction.state')}, ${eb.ref('l.state')}) in (${MAY_MOVE})`),
);

/** Moves transactions to their new states. A transaction that may not move there stays unchanged. */
export async function moveTransactions(
  { chain, clock }: Pick<LaneDeps, 'chain' | 'clock'>,
  uow: Pick<UnitOfWork, 'run'>,
  sender: Wallet,
  landed: readonly Omit<Landed, 'atMs'>[],
): Promise<void> {
  await uow.run(MOVE, {
    chainId: chain.chainId,
    sender,
    now: clock(),
    nonces: landed.map(({ nonce }) => nonce),
    states: landed.map(({ state }) => state),
    outcomes: landed.map(({ outcome }) => outcome),
    hashes: landed.map(({ minedHash }) => minedHash),
    blocks: landed.map(({ minedBlock }) => minedBlock),
  });
}

interface Subjects {
  readonly sender: Wallet;
  readonly purpose: Purpose;
  readonly subjectIds: readonly string[];
}

/**
 * Opens the final transactions of the subjects again, without an outcome, because the chain shows that one of them was
 * executed although it was recorded as replaced. Returns the nonces of all transactions of the subjects.
 */
export async function reopenTransactions(
  { chain }: Pick<LaneDeps, 'chain'>,
  uow: Pick<UnitOfWork, 'run'>,
  { sender, purpose, subjectIds }: Subjects,
): Promise<number[]> {
  const rows = await uow.run(REOPEN, { chainId: chain.chainId, sender, purpose, subjectIds });
  return rows.map(({ nonce }) => nonce);
}

const REOPEN = query('transactions-reopen', (db, $: Subjects & { chainId: number }) =>
  db
    .updateTable('SpenderTransaction')
    .set((eb) => {
      const isFinal = eb('state', '=', 'final');
      return {
        state: eb.case().when(isFinal).then(sql<'open'>`'open'`).else(eb.ref('state')).end(),
        outcome: eb.case().when(isFinal).then(null).else(eb.ref('outcome')).end(),
      };
    })
    .where('chainId', '=', $.chainId)
    .where('sender', '=', $.sender)
    .where('purpose', '=', $.purpose)
    .where('subjectId', '=', (eb) => eb.fn.any(eb.val($.subjectIds)))
    .returning('nonce'),
);

/** The new state of a nonce. With `state: 'open'`, a reorg has removed its block. */
export interface Landed {
  readonly nonce: number;
  readonly state: TransactionState;
  readonly outcome: TransactionOutcome | null;
  readonly minedHash: Hash | null;
  readonly minedBlock: number | null;
  /** The time of the block, epoch ms; if there is no block, of the head. */
  readonly atMs: number;
}

/** A new or different outcome of a transaction. */
export interface Outcome {
  readonly purpose: Purpose;
  readonly subjectId: string;
  readonly nonce: number;
  readonly outcome: TransactionOutcome;
  readonly minedHash: Hash | null;
  readonly atMs: number;
}

/** What the owner of a purpose does with the outcomes of its transactions, in the transaction that records them. */
interface OutcomeHandler {
  /** Records the outcomes of several transactions. */
  record?(uow: UnitOfWork, outcomes: readonly Outcome[]): Promise<void>;
  /** Returns the subjects whose recorded success must not change to a failure yet. A later pass records it. */
  postponed?(uow: UnitOfWork, subjectIds: readonly string[]): Promise<readonly string[]>;
  /** Records that `hash` may be mined instead of `replaced`, with the same effect. */
  replaced?(uow: UnitOfWork, forms: { readonly hash: Hash; readonly replaced: Hash }): Promise<void>;
}

/** The handlers of the purposes of one wallet. A purpose without a handler has nothing to record. */
export type OutcomeHandlers = Partial<Record<Purpose, OutcomeHandler>>;
