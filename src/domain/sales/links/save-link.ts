import { refuse } from '../../../base/core/errors.ts';
import { newId } from '../../../base/core/ids.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { type Repeatable, withIdempotencyKey } from '../../../base/platform/idempotency.ts';
import { jsonb } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { recordAudit, type WritingDeps } from '../../../base/records/audit/record.ts';
import type { BookingDeps } from '../orders/book-draft.ts';
import { settingsWithItems } from '../pricing/settings.ts';
import type { PaymentLink } from './link.entity.ts';
import type { LinkInput } from './link.input.ts';
import { previewLink } from './order-from-link.ts';
import { readLink, type SoldLink } from './read-links.ts';

/** A merchant has at most as many links. */
export const MAX_LINKS = 1_000;
const HOLDS_MINUTES = 60;
const PER_ADDRESS = 20;

/**
 * Creates a link that is on, one per Idempotency-Key. What it sells is priced once, so it refuses as placing an order
 * does, and with `invalid_input` an end that is past, a total of zero and more links than a merchant may have.
 */
export async function createLink(
  deps: BookingDeps & WritingDeps,
  merchant: Wallet,
  input: LinkInput,
  repeatable: Repeatable | null,
): Promise<SoldLink> {
  const now = deps.clock();
  const { endsAt = null, amount: amountCents = null } = input;
  if (endsAt !== null && endsAt <= now)
    throw refuse('invalid_input', 'endsAt must be in the future', { field: 'endsAt', reason: 'past' });
  const link: PaymentLink = {
    ...{ merchant, id: newId('link', now), name: input.name, amountCents, endsAt },
    items: await itemsOf(deps, merchant, input.items ?? null),
    currency: input.currency ?? null,
    jurisdictionCode: input.jurisdictionCode ?? null,
    expiresInMinutes: input.expiresInMinutes ?? HOLDS_MINUTES,
    perDay: input.perDay ?? null,
    perAddress: input.perAddress ?? PER_ADDRESS,
    returnUrl: input.returnUrl ?? null,
    ...{ active: true, createdAt: now, updatedAt: now },
  };
  const { receipt } = await previewLink(deps, link);
  if (receipt.totalCents === 0) throw refuse('invalid_input', 'The total must be above zero', { reason: 'total_zero' });
  const create = async (uow: UnitOfWork) => {
    await requireFewLinks(uow, merchant);
    await uow.db
      .insertInto('PaymentLink')
      .values({ ...link, items: link.items && jsonb(link.items) })
      .execute();
    await recordAudit(deps, uow, merchant, 'link.created', ['link', link.id], { after: termsOf(link) });
    return link;
  };
  const made =
    repeatable === null
      ? await deps.db.transaction(create)
      : await withIdempotencyKey(deps.db, now, { merchant, operation: 'createPaymentLink', ...repeatable }, create);
  return { ...made, sold: { count: 0, cents: 0 } };
}

/** The items by their ids, which stay when a SKU changes. */
async function itemsOf(
  deps: BookingDeps,
  merchant: Wallet,
  given: NonNullable<LinkInput['items']> | null,
): Promise<PaymentLink['items']> {
  if (given === null) return null;
  const { items } = await settingsWithItems(deps, merchant, given);
  return given.map(({ qty, id, sku }, i) => {
    const item = items[i];
    if (!item) throw refuse('inventory_item_not_found', undefined, id === undefined ? { sku } : { id });
    return { id: item.id, qty };
  });
}

async function requireFewLinks({ db }: UnitOfWork, merchant: Wallet): Promise<void> {
  const known = await db
    .selectFrom('PaymentLink')
    .select('id')
    .where('merchant', '=', merchant)
    .limit(MAX_LINKS)
    .execute();
  if (known.length >= MAX_LINKS)
    throw refuse('invalid_input', `A merchant has at most ${MAX_LINKS} payment links: delete one first`, {
      reason: 'too_many',
      most: MAX_LINKS,
    });
}

/** Switches a link on or off. Receipts that it made stay as they are. Refuses with `not_found`. */
export const switchLink = (deps: WritingDeps, merchant: Wallet, id: string, active: boolean): Promise<SoldLink> =>
  deps.db.transaction(async (uow) => {
    const link = await readLink(uow, merchant, id);
    if (link.active === active) return link;
    const updatedAt = deps.clock();
    await uow.db
      .updateTable('PaymentLink')
      .set({ active, updatedAt })
      .where((eb) => eb.and({ merchant, id }))
      .execute();
    await recordAudit(deps, uow, merchant, 'link.changed', ['link', id], {
      before: { active: link.active },
      after: { active },
    });
    return { ...link, active, updatedAt };
  });

/** Deletes a link. Receipts that it made stay, and can be paid. Refuses with `not_found`. */
export const deleteLink = (deps: WritingDeps, merchant: Wallet, id: string): Promise<void> =>
  deps.db.transaction(async (uow) => {
    const link = await readLink(uow, merchant, id);
    await uow.db
      .deleteFrom('PaymentLink')
      .where((eb) => eb.and({ merchant, id }))
      .execute();
    await recordAudit(deps, uow, merchant, 'link.deleted', ['link', id], { before: termsOf(link) });
  });

/** What the audit log records of a link. */
const termsOf = ({ name, items, amountCents, currency, perDay, perAddress, endsAt }: PaymentLink) => ({
  ...{ name, items, amountCents, currency, perDay, perAddress, endsAt },
});
