import type { Hash } from 'viem';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';
import type { TransactionState } from './lifecycle.ts';
import type { Purpose, TransactionOutcome } from './spender-transaction.entity.ts';

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
