import type { Dice } from '../support/seeded.ts';
import { payByCard } from './clients/cards.ts';
import { type Desk, openDesk } from './clients/desk.ts';
import { type Ordered, order, pay } from './clients/orders.ts';
import { type Refunded, refund } from './clients/refunds.ts';
import { type Subscribed, subscribe } from './clients/subscriptions.ts';
import type { Market, Shop } from './market.ts';

/** What clients wrote down. */
export interface Written {
  readonly orders: Ordered[];
  readonly refunds: Refunded[];
  readonly subscriptions: Subscribed[];
}

/** Clients that buy without pause, and write down what they are answered. */
export function openClients(
  world: Market,
  shop: Shop,
  written: Written,
  options: { readonly name: string; readonly webhookUrl: string; readonly clients: number; readonly dice: Dice },
) {
  const { orders, refunds, subscriptions } = written;
  const desk = openDesk(world, shop, options.webhookUrl, options.dice);
  const actions = { order: 5, payment: 5, again: 2, card: 2, refund: 2, subscription: 2 };
  let steps = 0;

  async function act(reference: string): Promise<void> {
    const action = desk.dice.weighted(actions);
    if (action === 'subscription') return subscribe(desk, reference, subscriptions);
    const paid = orders.filter(({ payment }) => payment !== null);
    if (action === 'refund' && paid.length > 0) return refund(desk, desk.dice.pick(paid), reference, refunds);
    // The same order once more: the answer names the same receipt.
    if (action === 'again' && orders.length > 0) return void (await order(desk, desk.dice.pick(orders)));
    const made: Ordered = { reference, receiptIds: new Set(), payment: null };
    orders.push(made);
    if ((await order(desk, made)) === undefined) return;
    if (action === 'payment') await pay(desk, made);
    if (action === 'card') await payByCard(desk, made);
  }

  async function client(number: number): Promise<void> {
    for (let count = 0; desk.isOpen(); count++) {
      const reference = `${options.name}-${number}-${count}`;
      await act(reference).catch((error) => desk.faults.push(`${reference}: ${error}`));
      steps += 1;
    }
  }

  const running = Array.from({ length: options.clients }, (_, number) => client(number));
  return {
    faults: (desk as Desk).faults,
    steps: () => steps,
    /** Ends after the requests that are under way. */
    async close(): Promise<void> {
      desk.close();
      await Promise.all(running);
    },
  };
}
