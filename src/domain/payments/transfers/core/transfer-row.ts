import type { Selectable } from 'kysely';
import type { Database } from '../../../../base/platform/postgres/database.ts';

/** The columns of a transfer that matching depends on. */
export const columnsOfTransfer = [
  'Transfer.chainId',
  'Transfer.blockHash',
  'Transfer.transactionHash',
  'Transfer.logIndex',
  'Transfer.blockNumber',
  'Transfer.blockTimeMs',
  'Transfer.token',
  'Transfer.sender',
  'Transfer.payTo',
  'Transfer.amount',
  'Transfer.confirmedAt',
  'Transfer.merchant',
  'Transfer.addressOf',
  'Transfer.split',
  'Transfer.receiptId',
  'Transfer.unmatchedReason',
  'Transfer.refundMarkedAt',
  'Transfer.seenAt',
] as const;

type NameOf<Column> = Column extends `Transfer.${infer Name}` ? Name : never;
type TransferColumns = Selectable<Database['Transfer']>;

/** A stored transfer. */
export type TransferRow = Readonly<
  Pick<TransferColumns, Extract<NameOf<(typeof columnsOfTransfer)[number]>, keyof TransferColumns>>
>;

/** The key of a transfer: one log of one block. */
export type TransferKey = Pick<TransferRow, 'chainId' | 'blockHash' | 'transactionHash' | 'logIndex'>;

/**
 * What links a transfer to its receipt: the address that received it, the sender's signature, an assignment by the
 * merchant, the server's own transaction, or what version 0.1 asked for at the split.
 */
export type LinkedBy = 'address' | 'signature' | 'assignment' | 'server' | 'asked';
