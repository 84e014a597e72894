import { type ExpressionBuilder, sql, type UpdateObject } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Bus } from '../../../base/platform/bus.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { AnnouncingDeps } from '../../../base/platform/deps.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import {
  type ColumnTypes,
  type RowList,
  type RowsIn,
  rowList,
  rowsIn,
} from '../../../base/platform/postgres/row-list.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { enqueueMails, enqueueNotice } from '../../webhooks/mail/enqueue.ts';
import type { BuyerMail } from '../../webhooks/mail/kinds.ts';
import { COLLECTIBLE, ENDED, SUBSCRIPTION, type SubscriptionStatus } from './lifecycle.ts';
import type { Subscription, SubscriptionEventKind } from './subscription.entity.ts';

/** A change of one subscription, and the details that its event reports. Money in cents, times in epoch ms. */
export interface SubscriptionChange {
  readonly merchant: Wallet;
  readonly subscriptionId: string;
  readonly at: number;
  readonly chargeId?: string;
  readonly receiptId?: string;
  readonly amountCents?: number;
  readonly feeCents?: number;
  readonly transactionHash?: `0x${string}` | null;
  /** A code of the failure catalogue. */
  readonly failure?: string;
  /** When the next charge is due. */
  readonly nextChargeAt?: number | null;
  /** When the last charge succeeded that is not undone. */
  readonly lastChargedAt?: number | null;
}

const GIVEN: ColumnTypes<SubscriptionChange> = {
  merchant: 'text',
  subscriptionId: 'text',
  at: 'bigint',
  chargeId: 'text',
  receiptId: 'text',
  amountCents: 'bigint',
  feeCents: 'bigint',
  transactionHash: 'text',
  failure: 'text',
  nextChargeAt: 'bigint',
  lastChargedAt: 'bigint',
};

/** The columns of an event that a change fills in. */
const REPORTED = [
  'merchant',
  'subscriptionId',
  'at',
  'chargeId',
  'receiptId',
  'amountCents',
  'feeCents',
  'transactionHash',
  'failure',
] as const satisfies readonly (keyof SubscriptionChange)[];

type Columns = ExpressionBuilder<Database, 'Subscription'>;
type Given = RowsIn<SubscriptionChange, 'given'>['columns'];

interface ChangeKind {
  readonly from: readonly SubscriptionStatus[];
  /** The new status; null keeps it. */
  readonly to: SubscriptionStatus | null;
  /** The events that the change adds, in this order. */
  readonly events: readonly SubscriptionEventKind[];
  readonly set: (stored: Columns, given: Given) => UpdateObject<Database, 'Subscription'>;
}

const moveTo = <To extends SubscriptionStatus>(to: To, how: Pick<ChangeKind, 'events' | 'set'>) => ({
  ...how,
  to,
  from: SUBSCRIPTION.before(to),
});

const counted = (stored: Columns, given: Given) => ({
  chargeCount: stored('chargeCount', '+', 1),
  totalChargedCents: stored('totalChargedCents', '+', given.amountCents),
});

const charge = (stored: Columns, given: Given) => ({
  ...counted(stored, given),
  lastChargedAt: given.at,
  attempts: 0,
  lastFailure: null,
  pastDueSince: null,
});

const failure = (stored: Columns, given: Given) => ({
  attempts: stored('attempts', '+', 1),
  lastFailure: given.failure,
  pastDueSince: stored.fn.coalesce('pastDueSince', given.at),
  nextChargeAt: given.nextChargeAt,
});

/** Every change of a stored subscription. */
export const CHANGES = {
  charged: moveTo('active', {
    events: ['charged'],
    set: (stored, given) => ({ ...charge(stored, given), nextChargeAt: given.nextChargeAt }),
  }),
  /** The subscription ended after the charge was sent, and stays ended. */
  chargedAfterEnd: { from: ENDED, to: null, events: ['charged'], set: charge },
  /** An earlier period than the last one was paid after all. What is due stays due. */
  chargedEarlier: {
    from: COLLECTIBLE,
    to: null,
    events: ['charged'],
    set: (stored, given) => ({
      ...counted(stored, given),
      lastChargedAt: stored.fn<number>('greatest', ['lastChargedAt', given.at]),
    }),
  },
  /** The merchant has voided the receipt of a failed charge: its period is given up, and the next one is due. */
  chargeWaived: {
    from: COLLECTIBLE,
    to: null,
    events: [],
    set: (_, given) => ({ attempts: 0, lastFailure: null, pastDueSince: null, nextChargeAt: given.nextChargeAt }),
  },
  /** A reorg has changed the outcome of a charge. Its period is due again, unless the subscription has ended. */
  chargeUndone: {
    from: SUBSCRIPTION.statuses,
    to: null,
    events: ['charge_undone'],
    set: (stored, given) => ({
      chargeCount: stored('chargeCount', '-', 1),
      totalChargedCents: stored('totalChargedCents', '-', given.amountCents),
      lastChargedAt: given.lastChargedAt,
      nextChargeAt: stored
        .case()
        .when('status', 'in', COLLECTIBLE)
        .then(stored.fn<number>('least', ['nextChargeAt', given.nextChargeAt]))
        .end(),
    }),
  },
  chargeFailed: moveTo('past_due', { events: ['charge_failed'], set: failure }),
  lastChargeFailed: moveTo('expired', { events: ['charge_failed', 'expired'], set: failure }),
  cancelled: moveTo('cancelled', {
    events: ['cancelled'],
    set: (_, given) => ({ cancelledAt: given.at, nextChargeAt: null }),
  }),
  revoked: moveTo('cancelled', {
    events: ['revoked'],
    set: (stored, given) => ({
      cancelledAt: stored.fn.coalesce('cancelledAt', given.at),
      revokedAt: given.at,
      nextChargeAt: null,
    }),
  }),
  expired: moveTo('expired', { events: ['expired'], set: () => ({ nextChargeAt: null }) }),
} satisfies Record<string, ChangeKind>;

/** Updates the subscriptions whose status allows the change, and adds the events to their histories. */
const changeQuery = (name: string, { from, to, events, set }: ChangeKind) =>
  query(
    `subscription-${name}`,
    (db, $: { changes: RowList<SubscriptionChange>; now: number }) => {
      const given = rowsIn($.changes, 'given', GIVEN);
      const kind = sql<{ kind: string; n: number }>`unnest(array[${sql.join(events)}]::text[]) with ordinality`;
      return db
        .with('changed', (changing) =>
          changing
            .updateTable('Subscription')
            .from(given.table)
            .set((stored) => ({
              ...set(stored as unknown as Columns, given.columns),
              ...(to !== null && { status: to }),
              updatedAt: $.now,
            }))
            .where('Subscription.merchant', '=', given.columns.merchant)
            .where('Subscription.id', '=', given.columns.subscriptionId)
            .where('Subscription.status', 'in', from)
            .returning(['Subscription.status', 'Subscription.email', 'Subscription.chargeCount'])
            .returning(given.select(REPORTED)),
        )
        .with('reported', (reporting) =>
          reporting
            .insertInto('SubscriptionEvent')
            .columns(['kind', 'status', ...REPORTED])
            .expression((of) =>
              of
                .selectFrom(['changed', kind.as<'event'>(sql`event(kind, n)`)])
                .select(['event.kind', 'changed.status', ...REPORTED.map((column) => `changed.${column}` as const)])
                .orderBy('event.n'),
            ),
        )
        .selectFrom('changed')
        .select(['changed.subscriptionId', 'changed.email', 'changed.chargeCount']);
    },
    { computed: { subscriptionId: 'text', email: 'text', chargeCount: 'int4' } },
  );

const QUERIES = Object.fromEntries(
  Object.entries(CHANGES).map(([name, kind]) => [name, changeQuery(name, kind)]),
) as Record<keyof typeof CHANGES, ReturnType<typeof changeQuery>>;

/** The bus channel that signals new events of a merchant's subscriptions. */
export const subscriptionsChannel = (merchant: Wallet): string => `subscriptions:${merchant}`;

/**
 * The only function that changes a stored subscription's status and history. A subscription whose status does not allow
 * the change stays unchanged. Signals the merchants' channels after the commit.
 *
 * @returns the ids of the subscriptions that have changed
 */
export async function changeSubscriptions(
  deps: AnnouncingDeps,
  uow: UnitOfWork,
  kind: keyof typeof CHANGES,
  changes: readonly SubscriptionChange[],
): Promise<ReadonlySet<string>> {
  if (changes.length === 0) return new Set();
  const changed = await uow.run(QUERIES[kind], { changes: rowList(changes), now: deps.clock() });
  const byId = new Map(changed.map((one) => [one.subscriptionId, one]));
  const made = changes.filter(({ subscriptionId }) => byId.has(subscriptionId));
  await tellByMail(
    deps,
    uow,
    kind,
    made.flatMap((change) => {
      const { email, chargeCount } = byId.get(change.subscriptionId)!;
      return email === null ? [] : [{ ...change, chargeCount }];
    }),
  );
  if (kind === 'chargeFailed')
    for (const merchant of new Set(made.map((change) => change.merchant)))
      await enqueueNotice(deps, uow, merchant, 'past_due');
  signalEvents(deps.bus, uow, made);
  return new Set(byId.keys());
}

/** The message to the subscriber about a change. */
const MAIL_OF: Readonly<Partial<Record<keyof typeof CHANGES, BuyerMail>>> = {
  charged: 'subscription_charged',
  chargedAfterEnd: 'subscription_charged',
  chargedEarlier: 'subscription_charged',
  chargeFailed: 'subscription_failed',
  lastChargeFailed: 'subscription_ended',
  cancelled: 'subscription_ended',
  revoked: 'subscription_ended',
  expired: 'subscription_ended',
};

/**
 * A subscription ends once, a charge succeeds once, and each failure is an occasion of its own. Subscribing costs
 * nothing and proves no address, so that the first message follows the first charge that has succeeded.
 */
async function tellByMail(
  deps: AnnouncingDeps,
  uow: UnitOfWork,
  change: keyof typeof CHANGES,
  made: readonly (SubscriptionChange & { readonly chargeCount: number })[],
): Promise<void> {
  const kind = MAIL_OF[change];
  if (!kind) return;
  const occasionOf = ({ chargeId, at }: SubscriptionChange) =>
    kind === 'subscription_ended' ? '' : kind === 'subscription_charged' ? (chargeId ?? at) : at;
  const messages = made.flatMap((one) => {
    const about = { merchant: one.merchant, subjectId: one.subscriptionId };
    const isFirst = kind === 'subscription_charged' && one.chargeCount === 1;
    return [
      ...(isFirst ? [{ ...about, kind: 'subscription_started' as const }] : []),
      ...(one.chargeCount > 0 ? [{ ...about, kind, occasion: occasionOf(one) }] : []),
    ];
  });
  await enqueueMails(deps, uow, messages);
}

/** Adds the first event to the history of a new subscription. */
export async function reportCreated(
  deps: AnnouncingDeps,
  uow: UnitOfWork,
  { merchant, id, status, createdAt }: Pick<Subscription, 'merchant' | 'id' | 'status' | 'createdAt'>,
): Promise<void> {
  await uow.db
    .insertInto('SubscriptionEvent')
    .values({ merchant, subscriptionId: id, kind: 'created', status, at: createdAt })
    .execute();
  signalEvents(deps.bus, uow, [{ merchant }]);
}

/** Signals the channels of the changes' merchants after the commit. */
function signalEvents(bus: Bus, uow: UnitOfWork, changes: readonly { readonly merchant: Wallet }[]): void {
  const merchants = new Set(changes.map(({ merchant }) => merchant));
  uow.afterCommit(() => {
    for (const merchant of merchants) bus.publish(subscriptionsChannel(merchant), '');
  });
}

const ERASE = query(
  'subscriptions-erase-addresses',
  (_db, $: { merchant: Wallet; email: string | null; wallet: string | null }) => sql<{ id: string }>`
    update subscriptions set email = null
     where merchant = ${$.merchant} and (lower(email) = ${$.email} or customer = ${$.wallet})
    returning id`,
  { computed: { id: 'text' }, slow: true },
);

/** Erases the address of a subscriber. Returns all subscriptions that are the buyer's. */
export async function eraseSubscriber(
  db: Db,
  merchant: Wallet,
  buyer: { readonly email: string } | { readonly wallet: Wallet },
): Promise<readonly string[]> {
  return (await db.run(ERASE, { merchant, email: null, wallet: null, ...buyer })).map(({ id }) => id);
}
