import { RECEIPT } from '../../src/receipts/lifecycle.ts';
import type { Received } from '../support/receiver.ts';
import type { TestMerchant, TestServer } from '../support/server.ts';
import type { Ordered } from './shop.ts';

/** What the clients wrote down, and the endpoint received. */
export interface History {
  readonly orders: readonly Ordered[];
  readonly webhooks: readonly Received[];
  /** The stock before the first order. */
  readonly stock: number;
}

interface Stored {
  readonly id: string;
  readonly reference: string;
  readonly status: string;
}

/** Compares a history with PostgreSQL and the endpoint. Answers what is lost, doubled or contradictory. */
export async function faultsOf(
  { deps }: TestServer,
  merchant: TestMerchant,
  { orders, webhooks, stock }: History,
): Promise<string[]> {
  const em = deps.orm.em.fork();
  const ofMerchant = <Row extends object>(text: string) => em.execute<Row[]>(text, [merchant.wallet]);
  const stored = await ofMerchant<Stored>(
    'select id, transaction_id as reference, status from receipts where merchant = ?',
  );
  const faults: string[] = [];

  for (const { reference, receiptIds, payment } of orders) {
    const own = stored.filter((one) => one.reference === reference);
    if (receiptIds.size > 1) faults.push(`${reference} was answered ${[...receiptIds].join(' and ')}`);
    if (own.length > 1) faults.push(`${reference} is stored ${own.length} times`);
    const [receiptId] = receiptIds;
    if (receiptId && own[0]?.id !== receiptId) faults.push(`${reference} was acknowledged and is lost`);
    if (!payment && /paid|completed/.test(own[0]?.status ?? ''))
      faults.push(`${reference} is ${own[0]?.status} unpaid`);
    if (payment && !/^(paid|completed)$/.test(own[0]?.status ?? ''))
      faults.push(`${reference} was paid and is ${own[0]?.status}`);
  }

  const transfers = await ofMerchant<{ hash: string; receiptId: string | null; amount: string }>(
    'select transaction_hash as hash, receipt_id as "receiptId", amount from transfers where canonical and merchant = ?',
  );
  const payments = orders.flatMap(({ payment, receiptIds }) => (payment ? [{ ...payment, receiptIds }] : []));
  for (const { hash, amount, receiptIds } of payments) {
    const found = transfers.filter((one) => one.hash.toLowerCase() === hash.toLowerCase());
    if (found.length !== 1 || found[0]!.amount !== amount || !receiptIds.has(found[0]!.receiptId ?? ''))
      faults.push(`${hash} is stored as ${JSON.stringify(found)}`);
  }
  const sum = (amounts: readonly { amount: string }[]) => amounts.reduce((all, { amount }) => all + BigInt(amount), 0n);
  if (sum(transfers) !== sum(payments)) faults.push(`${sum(payments)} was sent, and ${sum(transfers)} is stored`);

  const moves = await ofMerchant<{ id: string; seq: number; kind: string; from: never; to: never; webhook: string }>(
    `select receipt_id as id, seq, kind, previous_status as from, status as to from receipt_history
      where merchant = ? order by receipt_id, seq`,
  );
  for (const { id, kind, from, to } of moves)
    if (kind === 'status' && from !== null && !RECEIPT.mayMove(from, to))
      faults.push(`${id} moved from ${from} to ${to}`);

  const paid = stored.filter(({ status }) => /^(paid|completed)$/.test(status)).length;
  const [item] = await ofMerchant<{ left: number }>('select stock_qty as left from inventory_items where merchant = ?');
  if (item!.left !== stock - paid || item!.left < 0)
    faults.push(`${stock} were there, ${paid} sold, ${item!.left} are left`);
  return [...faults, ...webhookFaults(moves, webhooks)];
}

/** Each announced move arrives, with one id and the same bytes however often it is sent. */
function webhookFaults(
  moves: readonly { readonly id: string; readonly kind: string; readonly to: string }[],
  webhooks: readonly Received[],
): string[] {
  const faults: string[] = [];
  const bodies = new Map<string, string>();
  for (const { headers, body } of webhooks) {
    const id = String(headers['x-service-delivery']);
    if (bodies.has(id) && bodies.get(id) !== body) faults.push(`webhook ${id} has two bodies`);
    bodies.set(id, body);
  }
  const arrived = [...bodies.values()].map((body) => JSON.parse(body) as Received['event']);
  for (const { id, kind, to } of moves) {
    if (kind !== 'status' || to !== 'paid') continue;
    const count = arrived.filter((event) => event.receiptId === id && event.status === 'paid').length;
    if (count !== 1) faults.push(`${id} is paid, and ${count} webhooks say so`);
  }
  return faults;
}
