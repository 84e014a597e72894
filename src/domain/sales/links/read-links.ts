import { sql } from 'kysely';
import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { keysetList, type Listing, listing } from '../../../base/platform/keyset.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { wasPaid } from '../receipts/paid-at.ts';
import { LINK_COLUMNS, type PaymentLink } from './link.entity.ts';

/** A link with what it has sold. */
export interface SoldLink extends PaymentLink {
  /** The receipts of the link that were paid, and their totals in US cents. */
  readonly sold: { readonly count: number; readonly cents: number };
}

/** The address of a link's page. */
export const linkUrl = ({ baseUrl }: { readonly baseUrl: string }, id: string): string => `${baseUrl}/pay/${id}`;

/** Both sums in one read. */
const sold = sql<SoldLink['sold']>`(
  select jsonb_build_object('count', count(*), 'cents', coalesce(sum(r.total_cents), 0)) from receipts r
   where r.merchant = l.merchant and r.link_id = l.id and ${wasPaid})`;

const COLUMNS = [...LINK_COLUMNS.map((column) => `l.${column}` as const), sold.as('sold')] as const;
const computed = { sold: 'jsonb' } as const;

const LINKS = keysetList('payment links', {
  order: { name: 'payment-links', direction: 'desc', keys: [{ name: 'id', type: 'text', sql: sql.ref('l.id') }] },
  from: (db, $: { merchant: Wallet }) => db.selectFrom('PaymentLink as l').where('l.merchant', '=', $.merchant),
  select: (links) => links.select(COLUMNS),
  computed,
});

const ONE = query(
  'payment-link-sold',
  (db, $: Pick<PaymentLink, 'merchant' | 'id'>) =>
    db.selectFrom('PaymentLink as l').select(COLUMNS).where('l.merchant', '=', $.merchant).where('l.id', '=', $.id),
  { computed },
);

/** A merchant's links, newest first. */
export const linksOf = (db: Db, merchant: Wallet): Listing<SoldLink> => listing(db, LINKS, { merchant }, merchant);

/** The refusal for an id without a link: `not_found`. */
export const linkMissing = () => refuse('not_found', 'There is no such payment link');

/** A merchant's link. Refuses with `not_found`. */
export async function readLink(reader: Pick<Db, 'run'>, merchant: Wallet, id: string): Promise<SoldLink> {
  const [link] = await reader.run(ONE, { merchant, id });
  if (!link) throw linkMissing();
  return link;
}
