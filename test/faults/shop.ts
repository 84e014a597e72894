import { setTimeout as pause } from 'node:timers/promises';
import { payOnChain, readRequest } from '../support/checkout.ts';
import { caller } from '../support/http.ts';
import { Dice } from '../support/seeded.ts';
import type { TestMerchant } from '../support/server.ts';

/** An order as its client knows it. */
export interface Ordered {
  /** The client's own reference, and its Idempotency-Key. */
  readonly reference: string;
  /** Every receipt that an answer named; more than one is a fault. */
  readonly receiptIds: Set<string>;
  /** What was sent on the chain; null if nothing was. */
  payment: { readonly hash: string; readonly amount: string } | null;
}

/** A refused connection, a timeout, or an answer that says to try again. */
const RETRY_MS = 100;

/**
 * Clients that order and pay without pause, and write down what they were answered. A request without an answer is sent
 * again with the same Idempotency-Key, as the documents say.
 */
export function openClients(options: {
  readonly url: string;
  readonly rpcUrl: string;
  readonly merchant: TestMerchant;
  readonly webhookUrl: string;
  readonly clients: number;
  readonly seed: number;
}) {
  const { url, rpcUrl, merchant, webhookUrl } = options;
  const call = caller(url);
  const orders: Ordered[] = [];
  const faults: string[] = [];
  let isOpen = true;
  // One wallet pays, so that its nonces are in order.
  let paying: Promise<unknown> = Promise.resolve();

  /** Asks until there is an answer; undefined if the clients close before. */
  async function persist<T>(what: string, ask: () => Promise<T | undefined>): Promise<T | undefined> {
    for (;;) {
      try {
        const answer = await ask();
        if (answer !== undefined) return answer;
      } catch (error) {
        if (/Not what the API document says/.test(String(error))) faults.push(`${what}: ${error}`);
      }
      if (!isOpen) return undefined;
      await pause(RETRY_MS);
    }
  }

  async function order(reference: string): Promise<Ordered | undefined> {
    const made: Ordered = { reference, receiptIds: new Set(), payment: null };
    orders.push(made);
    const body = { items: [{ sku: 'CUP', qty: 1 }], transactionId: reference, webhookUrl };
    const headers = { ...merchant.auth, 'Idempotency-Key': reference };
    const receiptId = await persist(reference, async () => {
      const { status, body: answer } = await call('POST', '/api/orders', { headers, body });
      if (status === 200 && answer.receipt) return answer.receipt.receiptId as string;
      if (status < 500 && status !== 429 && status !== 409)
        faults.push(`${reference}: ${status} ${JSON.stringify(answer)}`);
      return undefined;
    });
    if (receiptId === undefined) return undefined;
    made.receiptIds.add(receiptId);
    return made;
  }

  async function pay(made: Ordered): Promise<void> {
    const [receiptId] = made.receiptIds;
    const request = await persist(made.reference, () => readRequest({ call }, receiptId!));
    if (!request) return;
    const hash = await payOnChain(rpcUrl, request);
    made.payment = { hash, amount: request.amount };
  }

  async function client(number: number): Promise<void> {
    const dice = new Dice(options.seed * 1_000 + number);
    for (let count = 0; isOpen; count++) {
      const made = await order(`order-${options.seed}-${number}-${count}`);
      if (!made) return;
      // The same order once more: the answer names the same receipt.
      if (dice.chance(0.2)) {
        const headers = { ...merchant.auth, 'Idempotency-Key': made.reference };
        const body = { items: [{ sku: 'CUP', qty: 1 }], transactionId: made.reference, webhookUrl };
        const again = await call('POST', '/api/orders', { headers, body }).catch(() => null);
        if (again?.status === 200 && again.body.receipt) made.receiptIds.add(again.body.receipt.receiptId);
      }
      if (dice.chance(0.5)) {
        paying = paying.then(() => pay(made)).catch((error) => faults.push(`payment of ${made.reference}: ${error}`));
        await paying;
      }
    }
  }

  const running = Array.from({ length: options.clients }, (_, number) => client(number));
  return {
    orders,
    faults,
    /** Ends after the requests that are under way. */
    async close(): Promise<void> {
      isOpen = false;
      await Promise.all(running);
      await paying;
    },
  };
}
