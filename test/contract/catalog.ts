import { expect } from 'vitest';
import type { TestMerchant, TestServer } from '../support/server.ts';

/** A product as a test names it. */
export interface Product {
  readonly sku: string;
  readonly priceUsd: number;
  readonly name?: string;
  readonly taxable?: boolean;
  readonly stockQty?: number;
}

/** Puts products into a merchant's catalog through its own key; answers their ids by SKU. */
export async function stock(
  { call }: TestServer,
  { auth }: TestMerchant,
  products: readonly Product[],
): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const product of products) {
    const body = { name: product.sku, stockQty: -1, taxable: true, ...product };
    const answer = await call('POST', '/api/inventory', { headers: auth, body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    ids[product.sku] = answer.body.item.id;
  }
  return ids;
}

/** What every refusal looks like: exactly its code, a sentence, and these further fields. */
export const refusal = (error: string, extra: Readonly<Record<string, unknown>> = {}) => ({
  error,
  message: expect.stringMatching(/./),
  ...extra,
});

/** The refusal of a missing or ended session: the contract's message, with what to do. */
export const noSession = (reason: 'session_missing' | 'session_ended') => ({
  error: 'unauthorized',
  message: 'JWT authentication failed',
  reason,
  action: reason === 'session_ended' ? 'Sign in again' : 'Sign in',
});

export const WALLET = expect.stringMatching(/^0x[0-9a-f]{40}$/);
/** Epoch milliseconds, of these days. */
export const MILLIS = expect.toSatisfy(
  (value) => Number.isInteger(value) && value > 1.6e12 && value < 1e13,
  'epoch milliseconds',
);
