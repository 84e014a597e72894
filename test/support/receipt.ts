import { expect } from 'vitest';
import type { TestMerchant, TestServer } from './server.ts';

let made = 0;

/** Makes a receipt of five dollars with the merchant's key; its id. */
export async function makeReceipt(
  { call }: Pick<TestServer, 'call'>,
  { auth }: Pick<TestMerchant, 'auth'>,
  id = `receipt-${made++}`,
): Promise<string> {
  const body = { id, lineItems: [{ label: 'x', priceUsd: 5 }] };
  expect((await call('POST', '/api/receipts', { headers: auth, body })).status).toBe(201);
  return id;
}
