import { sql } from 'kysely';
import type { Db } from '../../../base/platform/db.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { type Conditions, matches } from './conditions.ts';
import { isOpen, type ReceiptFilter } from './filter.input.ts';
import type { ReceiptOrder } from './order.ts';
import type { Plan } from './plan.ts';
import { type PartParameters, receiptsOfWord } from './sources.ts';

/** Counts run on a connection of their own, because they may read all receipts of a merchant. */
const OPTIONS = { slow: true, replica: true, computed: { total: 'int8' } } as const;

type Total = { readonly total: number };

const OF_MERCHANT = query(
  'receipts-total',
  (_db, $: Pick<Conditions, 'merchant'>) =>
    sql<Total>`select count(*) as total from receipts where merchant = ${$.merchant}`,
  OPTIONS,
);

/** Reads the index of the facets only. */
const OF_FACETS = query(
  'receipts-total-facets',
  (_db, $: Conditions) => sql<Total>`select count(*) as total from receipt_search
    where merchant = ${$.merchant} and facet = any(${$.facets}::text[])
      and created_at between ${$.createdFrom}::int8 and ${$.createdTo}::int8`,
  OPTIONS,
);

const OF_ENTRIES = query(
  'receipts-total-entries',
  (_db, $: Conditions & { first: string; last: string }) => sql<Total>`select count(*) as total
    from (select distinct receipt_id as id from receipt_terms
      where merchant = ${$.merchant} and entry between ${$.first} and ${$.last}) t
    join receipt_search s on s.merchant = ${$.merchant} and s.id = t.id where ${matches($)}`,
  OPTIONS,
);

const OF_PARTS = query(
  'receipts-total-parts',
  (_db, $: Conditions & PartParameters) => sql<Total>`select count(*) as total
    from (select distinct id from (${receiptsOfWord($)}) w) t
    join receipt_search s on s.merchant = ${$.merchant} and s.id = t.id where ${matches($)}`,
  OPTIONS,
);

const OF_ATTENTION = query(
  'receipts-total-attention',
  (_db, $: Conditions) => sql<Total>`select count(*) as total from receipt_search s
    where s.merchant = ${$.merchant} and (s.attention or s.mined_since is not null) and ${matches($)}`,
  OPTIONS,
);

const OF_NAMED = query(
  'receipts-total-named',
  (_db, $: Conditions) => sql<Total>`select count(*) as total from receipt_search s
    where s.merchant = ${$.merchant} and s.id = any(${$.receiptIds}::text[]) and ${matches($)}`,
  OPTIONS,
);

const OF_ALL = query(
  'receipts-total-matching',
  (_db, $: Conditions & { isPaid: boolean }) => sql<Total>`select count(*) as total from receipt_search s
    where s.merchant = ${$.merchant} and (not ${$.isPaid}::bool or s.paid_at is not null) and ${matches($)}`,
  OPTIONS,
);

/** The number of all receipts that match. */
export async function countReceipts(
  statements: Db,
  filter: ReceiptFilter,
  conditions: Conditions,
  { driver }: Plan,
  { field }: ReceiptOrder,
): Promise<number> {
  const isPaid = field === 'paidAt';
  const { facets, createdFrom: _from, createdTo: _to, ...others } = filter;
  const run = () => {
    if (isPaid) return statements.run(OF_ALL, { ...conditions, isPaid });
    if (isOpen(filter)) return statements.run(OF_MERCHANT, conditions);
    if (facets && isOpen({ ...others, facets: undefined })) return statements.run(OF_FACETS, conditions);
    if (driver.kind === 'entries') return statements.run(OF_ENTRIES, { ...conditions, ...driver });
    if (driver.kind === 'parts') return statements.run(OF_PARTS, { ...conditions, ...driver });
    if (driver.kind === 'entry' && driver.entry.startsWith('='))
      return statements.run(OF_ENTRIES, { ...conditions, first: driver.entry, last: driver.entry });
    if (driver.kind === 'named') return statements.run(OF_NAMED, conditions);
    if (driver.kind === 'attention') return statements.run(OF_ATTENTION, conditions);
    return statements.run(OF_ALL, { ...conditions, isPaid });
  };
  const [row] = await run();
  return row!.total;
}
