import { caller } from '../support/http.ts';
import type { Dice } from '../support/seeded.ts';
import type { TestMerchant, TestServer } from '../support/server.ts';
import type { Owner } from './values.ts';

/** A merchant that requests are made for, with what its answers must never contain. */
export interface Shop extends Owner {
  readonly ids: string[];
  readonly merchant: TestMerchant;
  readonly session: Record<string, string>;
  /** Traces of the other merchant. */
  readonly foreign: string[];
}

/** Two shops with the same ids, whose every text names its owner. */
export async function openShops(server: TestServer, url: string): Promise<readonly [Shop, Shop]> {
  const open = async (canary: string): Promise<Shop> => {
    const merchant = await server.merchant({ name: canary });
    const call = caller(url);
    const { body: challenge } = await call('POST', '/api/auth/nonce', { body: { wallet: merchant.account.address } });
    const signature = await merchant.account.signTypedData(challenge.typedData);
    const login = { wallet: merchant.account.address, nonce: challenge.nonce, signature };
    const answer = await call('POST', '/api/auth/login', { body: login });
    const cookie = answer.headers.getSetCookie().map((line) => line.split(';', 1)[0]);
    const session = { cookie: cookie.join('; '), 'x-csrf-token': answer.body.csrfToken };
    const shop = { canary, merchant, session, wallet: merchant.wallet, ids: [], foreign: [] };
    for (const sku of ['same-1', 'same-2', 'same-3']) {
      const item = { sku, name: canary, priceUsd: 10, stockQty: 50, taxable: true };
      await call('POST', '/api/inventory', { headers: merchant.auth, body: item });
    }
    return shop;
  };
  const shops = [await open('canary-amber'), await open('canary-cobalt')] as const;
  for (const [own, other] of [shops, [...shops].reverse()] as [Shop, Shop][])
    own.foreign.push(other.canary, other.wallet, other.merchant.split!);
  return shops;
}

/** The headers of a caller of some kind. */
export function callerOf(dice: Dice, { merchant, session }: Shop): Record<string, string> {
  const kinds = {
    key: () => merchant.auth,
    session: () => session,
    anonymous: () => ({}),
    unknownKey: () => ({ 'Ocp-Apim-Subscription-Key': `qk_${dice.below(1e9)}` }),
    noToken: () => ({ cookie: session.cookie! }),
    foreignOrigin: () => ({ ...session, origin: 'https://evil.test' }),
    bearer: () => ({ authorization: `Bearer ${merchant.key}` }),
    cron: () => ({ 'x-cron-secret': 'guess' }),
    spoofed: () => ({ ...merchant.auth, 'x-wallet': `0x${'9'.repeat(40)}`, 'x-subscription-id': 'other' }),
  };
  const weights = {
    key: 40,
    session: 30,
    anonymous: 4,
    unknownKey: 3,
    noToken: 3,
    foreignOrigin: 3,
    bearer: 4,
    cron: 1,
    spoofed: 3,
  };
  return kinds[dice.weighted(weights)]();
}

/** What an answer shows of the other merchant. */
export const tracesIn = (text: string, { foreign }: Shop): string[] =>
  foreign.filter((trace) => text.toLowerCase().includes(trace.toLowerCase()));

/** Remembers the ids that a merchant receives, for later requests of either. */
export function remember(shops: readonly Shop[], body: unknown): void {
  const found = JSON.stringify(body)?.matchAll(/"(?:receiptId|id|itemId|planId|subscriptionId)":"([^"]{3,60})"/g) ?? [];
  for (const [, id] of found)
    for (const { ids } of shops) {
      ids.push(id!);
      if (ids.length > 60) ids.shift();
    }
}
