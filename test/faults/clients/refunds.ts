import type { Wallet } from '../../../src/base/core/wallet.ts';
import { newAccount } from '../../support/server.ts';
import type { Desk } from './desk.ts';
import type { Ordered } from './orders.ts';

/** A refund as the merchant knows it. */
export interface Refunded {
  readonly reference: string;
  readonly receiptId: string;
  readonly buyer: string;
  readonly cents: number;
  /** The request was acknowledged. */
  isRequested: boolean;
  /** The transaction that was sent to the buyer; null if none was. */
  hash: string | null;
  /** Its proof was acknowledged. */
  isProven: boolean;
}

/** The number of refunds of this size that a receipt has money for. */
const MOST = 3;
const PAID = /^(recipient_validated|completed)$/;

/** Asks for a refund of a part of a paid receipt, sends it on the chain and proves it; null if it is not paid yet. */
export async function refund(desk: Desk, paid: Ordered, reference: string, into: Refunded[]): Promise<void> {
  const [receiptId] = paid.receiptIds;
  const { auth, wallet } = desk.merchant;
  const path = `/api/receipts/status?receiptId=${receiptId}`;
  const status = await desk.persist(reference, 'GET', path, { headers: auth }, ({ status: code, body }) =>
    code === 200 ? (body.status as string) : undefined,
  );
  if (!status || !PAID.test(status)) return;
  const cents = 100;
  if (into.filter((one) => one.receiptId === receiptId).length >= MOST) return;
  const buyer = newAccount().address.toLowerCase() as Wallet;
  const made: Refunded = {
    ...{ reference, receiptId: receiptId!, buyer, cents, isRequested: false, hash: null, isProven: false },
  };
  into.push(made);
  const post = (key: string, more: object) => {
    const headers = { ...desk.session, 'Idempotency-Key': key };
    const body = { receiptId, wallet, buyer, usd: cents / 100, ...more };
    return desk.persist(key, 'POST', '/api/receipts/refund', { headers, body }, (answer) =>
      answer.status === 200 ? true : undefined,
    );
  };
  made.isRequested = (await post(reference, {})) === true;
  if (!made.isRequested || desk.dice.chance(0.3)) return;
  made.hash = await desk.pay(buyer, BigInt(cents) * 10_000n);
  made.isProven = (await post(`${reference}-proof`, { txHash: made.hash })) === true;
}
