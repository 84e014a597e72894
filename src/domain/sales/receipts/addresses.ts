import { sql } from 'kysely';
import { receiptAddress } from '../../../base/chain/receipt-address.ts';
import { RECEIPT_FACTORY } from '../../../base/chain/receipt-record.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';

/** Where a merchant's receipts collect to. */
export interface Destination {
  readonly split: Wallet;
  /** The only chain where the split has code; null if it can be deployed on every chain. */
  readonly onlyChainId: number | null;
}

/** A receipt's address, with what it is computed from beside the receipt's own merchant, id and time. */
export interface NewAddress extends Destination {
  readonly address: Wallet;
  readonly factory: Wallet;
  readonly number: number;
}

/** What an address is computed from, as far as it is the receipt's. */
interface AddressedReceipt {
  readonly merchant: Wallet;
  readonly id: string;
  /** Epoch ms. */
  readonly createdAt: number;
}

/** Computes an address of a receipt, without a request. `number` is 0 for the first one. */
export function newAddress(
  { merchant, id: receiptId, createdAt }: AddressedReceipt,
  { split, onlyChainId }: Destination,
  number = 0,
): NewAddress {
  const factory = RECEIPT_FACTORY;
  const address = receiptAddress({ factory, split, merchant, receiptId, createdAt, number });
  return { address, factory, number, split, onlyChainId };
}

const FOUND = query('receipt-addresses-found', (db, $: { addresses: readonly Wallet[]; chainId: number }) =>
  db
    .selectFrom('ReceiptAddress')
    .select(['address', 'merchant', 'receiptId', 'split'])
    .where('address', '=', sql<Wallet>`any(${$.addresses}::text[])`)
    .where(({ eb, or }) => or([eb('onlyChainId', 'is', null), eb('onlyChainId', '=', $.chainId)])),
);

/** An address of a receipt that may be paid on a chain. */
export type FoundAddress = RowOf<typeof FOUND>;

/** Those of the candidates that are addresses of receipts on the chain. One look-up in an index for each. */
export async function findAddresses(
  { db }: { readonly db: Pick<Db, 'run'> },
  chainId: number,
  addresses: readonly Wallet[],
): Promise<readonly FoundAddress[]> {
  return addresses.length === 0 ? [] : db.run(FOUND, { addresses, chainId });
}

const SOME = query('receipt-addresses-some', (db, $: { chainId: number; limit: number }) =>
  db
    .selectFrom('ReceiptAddress')
    .select('address')
    .where(({ eb, or }) => or([eb('onlyChainId', 'is', null), eb('onlyChainId', '=', $.chainId)]))
    .limit(sql<number>`${$.limit}::int8`),
);

/** All addresses of receipts on the chain, open and old; null if they are more than `limit`. */
export async function listAddresses(
  { db }: { readonly db: Pick<Db, 'run'> },
  chainId: number,
  limit: number,
): Promise<readonly Wallet[] | null> {
  const rows = await db.run(SOME, { chainId, limit: limit + 1 });
  return rows.length > limit ? null : rows.map(({ address }) => address);
}

const ADDRESSES_OF = query('receipt-addresses-of', (db, $: { merchant: Wallet; receiptId: string }) =>
  db
    .selectFrom('ReceiptAddress')
    .select(['address', 'number', 'split'])
    .where('merchant', '=', $.merchant)
    .where('receiptId', '=', $.receiptId)
    .orderBy('number', 'desc'),
);

/** A receipt's addresses, the latest first. */
export const addressesOf = (
  db: Pick<Db, 'run'>,
  { merchant, id: receiptId }: Pick<AddressedReceipt, 'merchant' | 'id'>,
): Promise<readonly RowOf<typeof ADDRESSES_OF>[]> => db.run(ADDRESSES_OF, { merchant, receiptId });

/** Stores a further address of a receipt, which was made from its id and `createdAt`, unless it is stored already. */
export async function storeAddress(
  { db }: UnitOfWork,
  { merchant, id: receiptId, createdAt }: AddressedReceipt,
  made: NewAddress,
): Promise<void> {
  await db
    .insertInto('ReceiptAddress')
    .values({ ...made, merchant, receiptId, createdAt })
    .onConflict((known) => known.column('address').doNothing())
    .execute();
}

/**
 * The address that a locked receipt shows now: its latest one that collects to the split, or a new one. An address that
 * is to be avoided is not shown again.
 */
export async function shownAddress(
  uow: UnitOfWork,
  receipt: AddressedReceipt,
  destination: Destination,
  avoided: ReadonlySet<Wallet>,
): Promise<Wallet> {
  const known = await addressesOf(uow, receipt);
  const usable = known.find(({ address, split }) => split === destination.split && !avoided.has(address));
  if (usable) return usable.address;
  const made = newAddress(receipt, destination, (known[0]?.number ?? -1) + 1);
  await storeAddress(uow, receipt, made);
  return made.address;
}
