import { subscriptionBody } from '../../support/subscriber.ts';
import type { Desk } from './desk.ts';

/** A subscription as its customer and the operator's timer know it. */
export interface Subscribed {
  readonly reference: string;
  /** Every subscription that an answer named; more than one is a fault. */
  readonly ids: Set<string>;
  /** A charge was acknowledged. */
  isCharged: boolean;
}

/** Subscribes with a new permission, some of them twice, and charges it by two calls at once. */
export async function subscribe(desk: Desk, reference: string, into: Subscribed[]): Promise<void> {
  const { world, plan, merchant } = desk;
  const customer = desk.dice.pick(world.customers);
  const head = await world.chain.local.chain.client.getBlock();
  // Due at once, also if the newest blocks are replaced by older ones.
  const start = Number(head.timestamp) - 3_600;
  const body = await subscriptionBody(world.setup, plan, { customer, start });
  const made: Subscribed = { reference, ids: new Set(), isCharged: false };
  into.push(made);
  const create = () =>
    desk.persist(reference, 'POST', '/api/subscriptions/create', { headers: merchant.auth, body }, (answer) =>
      answer.status === 201 ? (answer.body.subscription.subscriptionId as string) : undefined,
    );
  const answers = await Promise.all(desk.dice.chance(0.3) ? [create(), create()] : [create()]);
  for (const id of answers) if (id !== undefined) made.ids.add(id);
  const [subscriptionId] = made.ids;
  if (subscriptionId === undefined) return;
  const headers = { 'x-cron-secret': world.cronSecret };
  const charge = () =>
    desk.persist(reference, 'POST', '/api/subscriptions/charge', { headers, body: { subscriptionId } }, (answer) =>
      answer.status === 200 && (answer.body.success || answer.body.reason === 'not_due') ? true : undefined,
    );
  const charged = await Promise.all([charge(), charge()]);
  made.isCharged = charged.some((one) => one === true);
}
