import { RECEIPT } from '../../src/domain/sales/receipts/lifecycle.ts';
import type { Received } from '../support/receiver.ts';
import type { Ordered } from './clients/orders.ts';
import { ledgerFaults } from './ledger.ts';
import type { Market, Shop } from './market.ts';
import type { Written } from './round.ts';

interface Stored {
  readonly id: string;
  readonly reference: string | null;
  readonly status: string;
}

interface Move {
  readonly id: string;
  readonly kind: string;
  readonly from: never;
  readonly to: never;
}

const PAID = /^(paid|completed|refunded)$/;

/** Compares what a shop's clients wrote down with PostgreSQL, the chain and the endpoint of the webhooks. */
export async function faultsOf(
  world: Market,
  shop: Shop,
  { orders, refunds, subscriptions }: Written,
  webhooks: readonly Received[],
): Promise<string[]> {
  const em = world.setup.deps.db.orm.em.fork();
  const ofMerchant = <Row extends object>(text: string) => em.execute<Row[]>(text, [shop.merchant.wallet]);
  const stored = await ofMerchant<Stored>(
    'select id, transaction_id as reference, status from receipts where merchant = ?',
  );
  const moves = await ofMerchant<Move>(
    `select receipt_id as id, kind, previous_status as from, status as to from receipt_history
      where merchant = ? order by receipt_id, seq`,
  );
  const transfers = await ofMerchant<Transfer>(
    `select transaction_hash as hash, receipt_id as "receiptId", amount, address_of as "addressOf",
            split is not null as "isArrival"
       from transfers t
      where canonical and merchant = ?
        and not exists (select from charges c where (c.merchant, c.receipt_id) = (t.merchant, t.receipt_id))`,
  );
  const head = await world.chain.local.chain.client.getBlockNumber();
  const [item] = await ofMerchant<{ left: number }>('select stock_qty as left from inventory_items where merchant = ?');
  const ordered = new Set(stored.filter(({ reference }) => reference !== null).map(({ id }) => id));
  const paid = stored.filter(({ reference, status }) => reference !== null && PAID.test(status)).length;
  return [
    ...orderFaults(orders, stored),
    ...(await paymentFaults(orders, transfers, async (hash) => {
      const place = await world.chain.local.chain.client.getTransactionReceipt({ hash }).catch(() => null);
      return place ? `block ${place.blockNumber} of ${head}` : 'no block';
    })),
    ...moves
      .filter(({ kind, from, to }) => kind === 'status' && from !== null && !RECEIPT.mayMove(from, to))
      .map(({ id, from, to }) => `${id} moved from ${from} to ${to}`),
    ...(item!.left === world.stock - paid && item!.left >= 0
      ? []
      : [`${world.stock} were there, ${paid} sold, ${item!.left} are left`]),
    ...webhookFaults(
      moves.filter(({ id }) => ordered.has(id)),
      webhooks,
    ),
    ...(await ledgerFaults(world, shop, { refunds, subscriptions })),
  ];
}

/**
 * Each acknowledged order is stored once, under the id that every answer named. Each one that was paid, and no other,
 * is paid.
 */
function orderFaults(orders: readonly Ordered[], stored: readonly Stored[]): string[] {
  const byReference = Map.groupBy(stored, ({ reference }) => reference);
  return orders.flatMap(({ reference, receiptIds, payment }) => {
    const own = byReference.get(reference) ?? [];
    const [receiptId] = receiptIds;
    const { id, status = 'not there' } = own[0] ?? {};
    const faults: string[] = [];
    if (receiptIds.size > 1) faults.push(`${reference} was answered ${[...receiptIds].join(' and ')}`);
    if (own.length > 1) faults.push(`${reference} is stored ${own.length} times`);
    if (receiptId && id !== receiptId) faults.push(`${reference} was acknowledged and is lost`);
    if (!payment && PAID.test(status)) faults.push(`${reference} is ${status} unpaid`);
    if (payment && !PAID.test(status)) faults.push(`${reference} (${id}) was paid and is ${status}`);
    return faults;
  });
}

interface Transfer {
  readonly hash: string;
  readonly receiptId: string | null;
  readonly amount: string;
  /** The receipt of the address that received it, or has sent it to the split. */
  readonly addressOf: string | null;
  readonly isArrival: boolean;
}

/**
 * Each payment is stored once, at the address of its receipt, and credited to it; the sums are equal. What goes to the
 * split is a collection, which pays nothing and brings no more than what has arrived.
 */
async function paymentFaults(
  orders: readonly Ordered[],
  transfers: readonly Transfer[],
  placeOf: (hash: `0x${string}`) => Promise<string>,
): Promise<string[]> {
  const payments = orders.flatMap(({ payment, receiptIds }) => (payment ? [{ ...payment, receiptIds }] : []));
  const arrived = transfers.filter(({ isArrival }) => isArrival);
  const collected = transfers.filter(({ isArrival }) => !isArrival);
  const byHash = Map.groupBy(arrived, ({ hash }) => hash.toLowerCase());
  const faults: string[] = [];
  for (const { hash, amount, receiptIds } of payments) {
    const found = byHash.get(hash.toLowerCase()) ?? [];
    const isRight =
      found.length === 1 &&
      found[0]!.amount === amount &&
      found[0]!.receiptId === found[0]!.addressOf &&
      receiptIds.has(found[0]!.receiptId ?? '');
    if (!isRight) faults.push(`${hash} is in ${await placeOf(hash)} and is stored as ${JSON.stringify(found)}`);
  }
  const sum = (amounts: readonly { amount: string }[]) => amounts.reduce((all, { amount }) => all + BigInt(amount), 0n);
  const [sent, credited] = [sum(payments), sum(arrived)];
  if (sent !== credited) faults.push(`${sent} was sent, and ${credited} is stored`);
  for (const [receiptId, brought] of Map.groupBy(collected, ({ addressOf }) => addressOf)) {
    const own = arrived.filter(({ addressOf }) => addressOf === receiptId);
    if (receiptId === null || sum(brought) > sum(own) || brought.some((one) => one.receiptId !== null))
      faults.push(`${receiptId} has ${JSON.stringify(own)} and is collected by ${JSON.stringify(brought)}`);
  }
  return faults;
}

/** Each move to `paid` is announced with one id, and with the same bytes however often it is sent. */
function webhookFaults(moves: readonly Move[], webhooks: readonly Received[]): string[] {
  const faults: string[] = [];
  const bodies = new Map<string, string>();
  for (const { headers, body } of webhooks) {
    const id = String(headers['x-service-delivery']);
    if (bodies.has(id) && bodies.get(id) !== body) faults.push(`webhook ${id} has two bodies`);
    bodies.set(id, body);
  }
  const arrived = Map.groupBy(
    [...bodies.values()].map((body) => JSON.parse(body) as Received['event']),
    ({ receiptId, status }) => `${receiptId} ${status}`,
  );
  for (const { id, kind, to } of moves) {
    if (kind !== 'status' || to !== 'paid') continue;
    const count = arrived.get(`${id} paid`)?.length ?? 0;
    if (count !== 1) faults.push(`${id} is paid, and ${count} webhooks say so`);
  }
  return faults;
}
