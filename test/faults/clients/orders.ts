import { readRequest } from '../../support/checkout.ts';
import { caller } from '../../support/http.ts';
import type { Desk } from './desk.ts';

/** An order as its client knows it. */
export interface Ordered {
  /** The client's own reference, and its Idempotency-Key. */
  readonly reference: string;
  /** Every receipt that an answer named; more than one is a fault. */
  readonly receiptIds: Set<string>;
  /** What was sent on the chain; null if nothing was. */
  payment: { readonly hash: `0x${string}`; readonly amount: string } | null;
}

/** Orders one cup. The answer to the same order later names the same receipt. */
export async function order(desk: Desk, made: Ordered): Promise<string | undefined> {
  const { reference } = made;
  const body = { items: [{ sku: 'CUP', qty: 1 }], transactionId: reference, webhookUrl: desk.webhookUrl };
  const headers = { ...desk.merchant.auth, 'Idempotency-Key': reference };
  const receiptId = await desk.persist(reference, 'POST', '/api/orders', { headers, body }, (answer) =>
    answer.status === 200 ? (answer.body.receipt?.receiptId as string | undefined) : undefined,
  );
  if (receiptId !== undefined) made.receiptIds.add(receiptId);
  return receiptId;
}

/** Pays what the receipt's page asks for. */
export async function pay(desk: Desk, made: Ordered): Promise<void> {
  const [receiptId] = made.receiptIds;
  const call = caller(desk.world.url);
  const request = await desk.retry(() => readRequest({ call }, receiptId!));
  if (!request) return;
  const hash = await desk.pay(request.payTo, BigInt(request.amount));
  made.payment = { hash, amount: request.amount };
}
