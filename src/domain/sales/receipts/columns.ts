import { RECEIPT_COLUMNS, type Receipt } from './receipt.entity.ts';

/*
 * The columns of a receipt by their role. Inserts, reads and lists derive their columns from the entity and these
 * roles, so a new column is inserted, read and listed without further code.
 */

/** The columns that only later changes set, with their values in a new receipt. */
export const INITIAL = {
  seq: 1,
  transactionHash: null,
  transactionTimestamp: null,
  paymentChainId: null,
  paidToken: null,
  paidAmount: null,
  refundedCents: 0,
  acceptedUsd: null,
  failureCode: null,
  onrampSessionId: null,
  onrampSourceAmountCents: null,
  customerTotalCents: null,
  onrampCharged: false,
  stockTaken: false,
  closedAt: null,
} satisfies Partial<Receipt>;

/**
 * The columns that `recordChange` stores. Who changes another one (lines, pricing, billing address) stores it in the
 * same unit of work.
 */
export const CHANGING_COLUMNS = [
  ...(Object.keys(INITIAL) as (keyof typeof INITIAL)[]),
  'status',
  'announcedStatus',
  'buyerWallet',
  'stockHeld',
  'expiresAt',
  'updatedAt',
] as const satisfies readonly (keyof Receipt)[];

/** The columns that reads of a receipt leave out. */
const INTERNAL = [
  'announcedStatus',
  'postPayment',
  'keyId',
  'createdBy',
  'linkVisitor',
  'createdBlock',
  'createdChainId',
  'createdHeads',
  'contentDigest',
  'refundedCents',
  'onrampSessionId',
  'onrampSourceAmountCents',
  'customerTotalCents',
  'onrampCharged',
  'stockTaken',
  'stockHeld',
  'lifetimeMs',
] as const satisfies readonly (keyof Receipt)[];

/** A column that a new receipt has a value for; the others start as in `INITIAL`. */
export type BookedColumn = Exclude<keyof Receipt, keyof typeof INITIAL>;
/** A column that reads return. */
export type ShownColumn = Exclude<keyof Receipt, (typeof INTERNAL)[number]>;

export const BOOKED_COLUMNS = RECEIPT_COLUMNS.filter((column) => !(column in INITIAL)) as readonly BookedColumn[];
export const SHOWN_COLUMNS = RECEIPT_COLUMNS.filter(
  (column) => !(INTERNAL as readonly string[]).includes(column),
) as readonly ShownColumn[];
