import { sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { ClockAndSettings } from '../../../base/platform/deps.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import { enqueueMails } from '../../webhooks/mail/enqueue.ts';
import { nextChargeIn } from './read-subscriptions.ts';
import { permissionEndMs } from './terms.ts';

const CONTACT = query(
  'subscription-contact',
  (db, $: { merchant: Wallet; id: string }) =>
    db
      .selectFrom('Subscription as s')
      .innerJoin('Plan as p', (on) => on.onRef('p.merchant', '=', 's.merchant').onRef('p.id', '=', 's.planId'))
      .select(['s.email', 's.language', 's.planId', 's.priceCents', 's.period', 's.status', 's.chargeCount'])
      .select(['p.name as plan'])
      .select(nextChargeIn('s'))
      .where('s.merchant', '=', $.merchant)
      .where('s.id', '=', $.id),
  { computed: { nextChargeAt: 'int8' } },
);

/** Where a subscriber wants to hear of a subscription, and what messages say of it. Cents, and epoch ms. */
export type Contact = RowOf<typeof CONTACT>;

/** The contact of a subscription of the merchant; null if there is none. */
export const readContact = async (db: Db, merchant: Wallet, id: string): Promise<Contact | null> =>
  (await db.run(CONTACT, { merchant, id }))[0] ?? null;

/** A charge that comes, epoch ms. */
interface Upcoming {
  readonly merchant: Wallet;
  readonly id: string;
  readonly dueAt: number;
}

/** The subscriptions that one statement reads. */
const PAGE = 1_000;

/** Charges that come within the days of their plans, of subscribers with an address. A first charge has no reminder. */
const UPCOMING = query(
  'subscriptions-upcoming',
  (_db, $: { now: number; afterAt: number; afterId: string }) => sql<Upcoming>`
    select s.merchant, s.id, s.next_charge_at as "dueAt"
      from subscriptions s join plans p on p.merchant = s.merchant and p.id = s.plan_id
     where s.status = 'active' and s.email is not null and s.charge_count > 0 and p.reminder_days is not null
       and s.next_charge_at > ${$.now}::int8 and s.next_charge_at <= ${$.now}::int8 + p.reminder_days * 86400000::int8
       and s.next_charge_at < ${permissionEndMs('s')} and (s.next_charge_at, s.id) > (${$.afterAt}::int8, ${$.afterId})
     order by s.next_charge_at, s.id limit ${sql.lit(PAGE)}`,
  { computed: { merchant: 'text', id: 'text', dueAt: 'int8' }, slow: true },
);

/** Enqueues the reminders of the charges that come. Each charge has one, however often this is called. */
export async function remindOfCharges(deps: ClockAndSettings & { readonly db: Db }): Promise<void> {
  const now = deps.clock();
  for (let after = { afterAt: now, afterId: '' }; ; ) {
    const found = await deps.db.run(UPCOMING, { now, ...after });
    await deps.db.transaction((uow) =>
      enqueueMails(
        deps,
        uow,
        found.map(({ merchant, id, dueAt }) => ({
          ...{ merchant, kind: 'subscription_upcoming' as const, subjectId: id },
          occasion: dueAt,
        })),
      ),
    );
    const last = found.at(-1);
    if (!last || found.length < PAGE) return;
    after = { afterAt: last.dueAt, afterId: last.id };
  }
}
