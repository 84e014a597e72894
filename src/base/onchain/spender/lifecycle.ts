import { defineLifecycle } from '../../core/lifecycle.ts';

/**
 * The states of a transaction that this server signs. `open`: in no known block. `mined`: in a block that a reorg can
 * still remove. `final`: confirmed, or permanently replaced by another transaction with the same nonce.
 *
 * A reorganization can move a mined transaction to another block, or back to `open`. A final transaction is opened
 * again if the chain shows that it was executed although it was recorded as replaced, or no longer has it.
 */
export const TRANSACTION = defineLifecycle(['open'], {
  open: ['mined', 'final'],
  mined: ['mined', 'open', 'final'],
  final: ['open'],
});

export type TransactionState = (typeof TRANSACTION.statuses)[number];
