import { sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { type KeyedPage, readPages } from '../../../base/platform/sweep.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { lockReceipt, recordChange, storeBillingAddress } from './record-change.ts';

/** A buyer, by an e-mail address in lower case or by a wallet. */
export type BuyerKey = { readonly email: string } | { readonly wallet: Wallet };

/** A receipt of a buyer, with the texts by which other records may name the buyer. */
export interface BuyersReceipt {
  readonly id: string;
  readonly createdAt: number;
  /** Of a recurring charge: its metadata names only the subscription, and was written by the server. */
  readonly isCharge: boolean;
  readonly email: string | null;
  readonly phone: string | null;
}

/** The receipts that one statement reads. */
const PAGE = 2_000;
/** The receipts that one transaction changes. */
const BATCH = 100;

interface Selected {
  readonly merchant: Wallet;
  readonly after: string;
  readonly email: string | null;
  readonly wallet: string | null;
}

const FIND = query(
  'receipts-of-buyer',
  (_db, $: Selected) => sql<KeyedPage<BuyersReceipt, string>>`
    with page as (
      select id, created_at, origin, billing_address as address, buyer_wallet from receipts
       where merchant = ${$.merchant} and id > ${$.after} order by id limit ${sql.lit(PAGE)})
    select coalesce((
             select jsonb_agg(jsonb_build_object('id', id, 'createdAt', created_at, 'isCharge', origin = 'charge',
                                                 'email', address->>'email', 'phone', address->>'phone'))
               from page where lower(address->>'email') = ${$.email} or buyer_wallet = ${$.wallet}), '[]') as found,
           (select max(id) from page having count(*) = ${sql.lit(PAGE)}) as last`,
  { computed: { found: 'jsonb', last: 'text' }, slow: true },
);

/** The receipts of a buyer at a merchant, from the whole table. */
export async function findReceiptsOf(db: Db, merchant: Wallet, buyer: BuyerKey): Promise<BuyersReceipt[]> {
  const all: BuyersReceipt[] = [];
  const key = { email: null, wallet: null, ...buyer };
  const read = async (after: string) => (await db.run(FIND, { merchant, after, ...key }))[0]!;
  await readPages('', read, (found) => void all.push(...found));
  return all;
}

const ERASE = query(
  'receipts-erase-personal',
  (_db, $: { merchant: Wallet; ids: readonly string[] }) => sql<{ id: string }>`
    update receipts
       set metadata = case when origin = 'charge' then metadata end,
           redirect_url = null, success_url = null, post_payment = null, link_visitor = null
     where merchant = ${$.merchant} and id = any(${$.ids}::text[])
       and (coalesce(redirect_url, success_url, post_payment, link_visitor) is not null or billing_address is not null
            or (metadata is not null and origin <> 'charge'))
    returning id`,
  { computed: { id: 'text' } },
);

/**
 * Erases what receipts hold of their buyer, except the billing address, by which an interrupted erasure finds the buyer
 * again. Returns the receipts that held personal data.
 */
export async function eraseDetails(db: Db, merchant: Wallet, ids: readonly string[]): Promise<readonly string[]> {
  const erased: string[] = [];
  for (const batch of batchesOf(ids))
    erased.push(...(await db.run(ERASE, { merchant, ids: batch })).map(({ id }) => id));
  return erased;
}

/** The name of the note that a receipt gets when the personal data of its buyer is erased. */
const ERASED_NOTE = 'buyer_erased';

/**
 * Erases the billing addresses of receipts and notes it in their histories, which also renews their rows of the search.
 *
 * @param atEnd runs in the last transaction, also if there are no receipts
 */
export async function eraseAddresses(
  deps: Pick<Deps, 'db' | 'bus' | 'clock' | 'settings' | 'origin'>,
  merchant: Wallet,
  ids: readonly string[],
  atEnd: (uow: UnitOfWork) => Promise<void>,
): Promise<void> {
  const batches = batchesOf(ids);
  for (const [at, batch] of (batches.length > 0 ? batches : [[]]).entries()) {
    await deps.db.transaction(async (uow) => {
      for (const id of batch) {
        const receipt = await lockReceipt(uow, merchant, id);
        if (!receipt) continue;
        await storeBillingAddress(uow, receipt, null);
        await recordChange(deps, uow, receipt, { kind: 'note', name: ERASED_NOTE }, { actor: deps.origin.actor });
      }
      if (at >= batches.length - 1) await atEnd(uow);
    });
  }
}

/** In the order of the ids, so that concurrent erasures lock receipts in the same order. */
function batchesOf(ids: readonly string[]): string[][] {
  const sorted = ids.toSorted();
  return Array.from({ length: Math.ceil(sorted.length / BATCH) }, (_, at) =>
    sorted.slice(at * BATCH, (at + 1) * BATCH),
  );
}
