import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { sameForAll } from '../../../base/core/finality.ts';
import { parseInput } from '../../../base/core/input.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { RECEIPT } from '../../sales/receipts/lifecycle.ts';
import { receiptFilter } from './filter.input.ts';
import { type FindDeps, openSearch } from './find-receipts.ts';
import { indexAll } from './indexer.ts';
import { NEWEST, type ReceiptOrder, SORT_FIELDS } from './order.ts';
import { insertReceipts, OTHER, openShop, SHOP, type Shop } from './test/shop.ts';

/** A receipt of the model, with the values that filters compare. */
interface Made {
  readonly id: string;
  readonly merchant: Wallet;
  readonly status: string;
  readonly origin: string;
  readonly currency: string;
  readonly createdAt: number;
  readonly paidAt: number | null;
  readonly minedAt: number | null;
  readonly totalCents: number;
  readonly reference: string | null;
  readonly email: string | null;
  readonly names: readonly [string, string] | null;
  readonly note: string | null;
  /** The total in euros, of a receipt in euros. */
  readonly originalCents: number | null;
  readonly wallet: string | null;
  readonly hash: string | null;
  readonly skus: readonly string[];
  readonly subscription: string | null;
  readonly plan: string | null;
  readonly refundOpen: boolean;
  readonly oversold: boolean;
}

const NOW = 10_000_000;
/** Without blocks a payment is stuck after this time; see `stuckAfterMs`. */
const STUCK_MS = 120_000;
const COUNT = 240;

const pick = <T>(all: readonly T[], n: number): T => all[n % all.length] as T;
const hashOf = (n: number) => `0x${(n % 40).toString(16).padStart(2, '0').repeat(32)}`;
const walletOf = (n: number) => `0x${(n % 7).toString(16).repeat(40)}`;

/** Receipts whose values repeat with different periods, so that all combinations occur. */
function makeReceipt(_: unknown, n: number): Made {
  const status = pick(RECEIPT.statuses, n * 7 + Math.floor(n / 8));
  const origin = pick(['order', 'receipt', 'terminal', 'charge'], Math.floor(n / 3));
  const isPaid = ['paid', 'completed', 'refunded'].includes(status);
  const createdAt = 1_000_000 + Math.floor(n / 2) * 10;
  return {
    id: `${pick(['inv-', 'INV-2', 'x'], n)}${n}`,
    merchant: n % 5 === 0 ? OTHER : SHOP,
    status,
    origin,
    currency: pick(['USD', 'USD', 'EUR'], Math.floor(n / 2)),
    createdAt,
    paidAt: isPaid ? createdAt + (n % 9) * 100 : null,
    minedAt: status === 'tx_mined' ? NOW - pick([1_000, STUCK_MS + 1_000], Math.floor(n / 8)) : null,
    totalCents: pick([0, 99, 100, 2_550, 100_000], n * 3 + Math.floor(n / 5)),
    reference: pick([null, 'Order 17', 'order 18 b', 'ORDER-9'], Math.floor(n / 4)),
    email: pick([null, 'Ada@Shop.test', 'bob@shop.test', 'a%da@x_y.test'], Math.floor(n / 6)),
    names: pick([null, ['Maria', 'Klein'], ['Jörg', 'Weiß']] as const, Math.floor(n / 3)),
    note: origin === 'charge' ? null : pick([null, 'Gift wrap, window 4'], Math.floor(n / 5)),
    originalCents: pick([null, null, 2_481], Math.floor(n / 2)),
    wallet: isPaid ? walletOf(n) : null,
    hash: isPaid || status === 'tx_mined' ? hashOf(n) : null,
    skus: pick([[], ['TEA'], ['TEA', 'tea-2'], ['Mug 1']], n),
    subscription: origin === 'charge' ? `sub_${n % 4}` : null,
    plan: origin === 'charge' ? `plan_${n % 2}` : null,
    refundOpen: isPaid && n % 6 === 0,
    oversold: isPaid && n % 7 === 0,
  };
}

const made = Array.from({ length: COUNT }, makeReceipt);

let shop: Shop;
let deps: FindDeps;
beforeAll(async () => {
  shop = await openShop();
  const chain = { chainId: 1, confirmations: 1, finality: sameForAll(1) } as FindDeps['chain'];
  deps = { db: shop.db, chain, clock: () => NOW };
  await insertAll();
  await indexAll(shop.db);
});
afterAll(() => shop.close());

async function insertAll(): Promise<void> {
  const rows = JSON.stringify(made);
  const from = `jsonb_to_recordset($1::jsonb) m(id text, merchant text, status text, origin text, currency text,
    "createdAt" bigint, "paidAt" bigint, "minedAt" bigint, "totalCents" bigint, reference text, email text,
    wallet text, hash text, skus jsonb, subscription text, plan text, "refundOpen" bool, oversold bool, names jsonb, note text,
    "originalCents" bigint)`;
  await shop.run(
    `insert into receipts (merchant, id, origin, status, announced_status, total_cents, currency, line_items, brand_name,
       transaction_id, metadata, billing_address, pricing, transaction_hash, buyer_wallet, paid_token, closed_at, created_at,
       updated_at)
     select merchant, id, origin, status, status, "totalCents", currency,
       coalesce((select jsonb_agg(jsonb_build_object('label', s, 'priceCents', 1, 'sku', s))
         from jsonb_array_elements_text(skus) s), '[]'), 'Shop', reference,
       case when subscription is not null then jsonb_build_object('subscriptionId', subscription)
         when note is not null then jsonb_build_object('note', note) end,
       jsonb_strip_nulls(jsonb_build_object('email', email, 'firstName', names->>0, 'lastName', names->>1)),
       case when "originalCents" is not null then jsonb_build_object('originalTotalCents', "originalCents") end,
       hash, wallet, case when "paidAt" is not null then 'USDC' end, "paidAt", "createdAt", "createdAt" from ${from}`,
    [rows],
  );
  await shop.run(
    `insert into receipt_history (merchant, receipt_id, seq, kind, status, name, actor, at)
     select merchant, id, 1, 'status', 'generated', null, 'test', "createdAt" from ${from}
     union all select merchant, id, 2, 'status', 'tx_mined', null, 'test', "minedAt" from ${from}
       where "minedAt" is not null
     union all select merchant, id, 3, 'note', status, 'oversold', 'test', "createdAt" from ${from} where oversold`,
    [rows],
  );
  await shop.run(
    `insert into refunds (merchant, receipt_id, id, state, usd_cents, proven_cents, buyer, items, transaction_hashes,
       actor, created_at) select merchant, id, 'f', 'requested', 1, 0, merchant, '[]', '{}', 'test', 0
     from ${from} where "refundOpen"`,
    [rows],
  );
  await shop.run(
    `insert into subscriptions (merchant, id, plan_id, customer, price_cents, period, chain_id, token, permission,
       permission_hash, sealed_signature, created_at, updated_at)
     select distinct on (id) merchant || '', subscription || '', plan, merchant, 1, 'MONTHLY', 1, merchant, '{}',
       merchant || subscription, '', 0, 0
     from (select merchant, subscription, plan, subscription as id from ${from}
       where subscription is not null and merchant = '${SHOP}') m`,
    [rows],
  );
}

/** What a receipt is found by in the search box. */
const textsOf = (one: Made): string[] =>
  [
    one.id,
    one.reference,
    one.email,
    one.names?.join(' ') ?? null,
    one.note,
    one.wallet,
    one.hash,
    one.subscription,
    one.plan,
    ...one.skus,
  ]
    .filter((text): text is string => text !== null)
    .map((text) => text.toLowerCase())
    .flatMap((text) => [text, ...text.split(' ')]);

/** The amounts of the words that are amounts. */
const CENTS: Readonly<Record<string, number>> = {
  '25.50': 2_550,
  '25,50': 2_550,
  '$25.50': 2_550,
  '1,000.00': 100_000,
  '1.000,00': 100_000,
  '24,81': 2_481,
  '24.81': 2_481,
  '0.99': 99,
  '26.81': 2_681,
};

const hasWord = (one: Made, word: string): boolean =>
  (CENTS[word] !== undefined && [one.totalCents, one.originalCents].includes(CENTS[word])) ||
  textsOf(one).some((text) => {
    if (word.length < 3) return text === word;
    return text.startsWith(word) || (text.includes(word) && !/^(?:0x|sub_|plan_)/.test(text));
  });

const needsAttention = (one: Made): boolean =>
  one.status === 'tx_mismatch' ||
  one.refundOpen ||
  (one.oversold && one.status !== 'refunded') ||
  (one.minedAt !== null && one.minedAt <= NOW - STUCK_MS);

/** The whole meaning of a filter, as plain as possible. */
const MEANING: Readonly<Record<string, (one: Made, value: never) => boolean>> = {
  statuses: (one, value: string[]) => value.includes(one.status),
  origin: (one, value: string) => one.origin === value,
  currency: (one, value: string) => one.currency === value,
  createdFrom: (one, value: number) => one.createdAt >= value,
  createdTo: (one, value: number) => one.createdAt <= value,
  paidFrom: (one, value: number) => one.paidAt !== null && one.paidAt >= value,
  paidTo: (one, value: number) => one.paidAt !== null && one.paidAt <= value,
  totalMin: (one, value: number) => one.totalCents >= Math.round(value * 100),
  totalMax: (one, value: number) => one.totalCents <= Math.round(value * 100),
  transactionId: (one, value: string) => one.reference === value,
  buyerEmail: (one, value: string) => one.email?.toLowerCase() === value.toLowerCase(),
  buyerWallet: (one, value: string) => one.wallet === value.toLowerCase(),
  transactionHash: (one, value: string) => one.hash === value.toLowerCase(),
  sku: (one, value: string) => one.skus.includes(value),
  planId: (one, value: string) => one.plan === value,
  subscriptionId: (one, value: string) => one.subscription === value,
  needsAttention: (one, value: boolean) => needsAttention(one) === value,
  receiptIds: (one, value: string[]) => value.includes(one.id),
  q: (one, value: string) =>
    value
      .toLowerCase()
      .split(' ')
      .every((word) => hasWord(one, word)),
};

/** Values of each filter that match some, all or none of the receipts. */
const VALUES: Readonly<Record<keyof typeof MEANING, readonly unknown[]>> = {
  statuses: [['paid'], ['tx_mismatch', 'generated'], [...RECEIPT.statuses]],
  origin: ['order', 'charge'],
  currency: ['EUR', 'USD'],
  createdFrom: [0, 1_000_500, 2_000_000],
  createdTo: [1_000_500, 1_000_001, 9_000_000],
  paidFrom: [0, 1_000_700],
  paidTo: [1_000_700, 9_000_000],
  totalMin: [0, 1, 25.5, 1_000],
  totalMax: [0, 1, 25.5, 10_000_000],
  transactionId: ['Order 17', 'order 17', 'nothing'],
  buyerEmail: ['ADA@shop.test', 'a%da@x_y.test', 'none@x.test'],
  buyerWallet: [walletOf(1), walletOf(2).toUpperCase().replace('0X', '0x')],
  transactionHash: [hashOf(3), hashOf(11).toUpperCase().replace('0X', '0x')],
  sku: ['TEA', 'tea', 'Mug 1'],
  planId: ['plan_0', 'plan_9'],
  subscriptionId: ['sub_1', 'sub_9'],
  needsAttention: [true, false],
  receiptIds: [['INV-21', 'x2', 'inv-0', 'none'], ['INV-21', 'INV-21'], made.map(({ id }) => id).slice(0, 100)],
  q: [
    ...'ada|ADA@SHOP|order 17|inv-2|inv|0x0|18 b|tea ord|a%d|%da|sub_1|b|zzz|mug 1'.split('|'),
    ...'shop.test|@x_y|der 1|lein|maria klein|örg weiß|window gift|rap,|v-1|UB_1|000'.split('|'),
    ...'25.50|25,50|$25.50|1,000.00|1.000,00|24,81|24.81 lein|0.99|25.5|26.81'.split('|'),
  ],
};
const NAMES = Object.keys(VALUES);

const ORDERS: readonly ReceiptOrder[] = SORT_FIELDS.flatMap((field) =>
  (['asc', 'desc'] as const).map((direction) => ({ field, direction })),
);

type Filter = Readonly<Record<string, unknown>>;

/** Some texts of a database sort differently than those of JavaScript. */
const compare = new Intl.Collator('en').compare;

const keyIn = (one: Made, { field }: ReceiptOrder): number | null =>
  field === 'createdAt' ? one.createdAt : field === 'paidAt' ? one.paidAt : one.totalCents;

/** The ids of the model that match, in order. Ids with equal keys are grouped: their order is the database's. */
function expected(filter: Filter, order: ReceiptOrder): string[][] {
  const matching = made.filter(
    (one) =>
      one.merchant === SHOP &&
      keyIn(one, order) !== null &&
      Object.entries(filter).every(([name, value]) => MEANING[name]!(one, value as never)),
  );
  const sign = order.direction === 'asc' ? 1 : -1;
  const groups = Map.groupBy(matching, (one) => keyIn(one, order)!);
  return [...groups.keys()]
    .sort((a, b) => sign * (a - b))
    .map((key) =>
      groups
        .get(key)!
        .map(({ id }) => id)
        .sort(compare),
    );
}

/** Reads all pages of a search, and groups them as the model does. */
async function found(filter: Filter, order: ReceiptOrder, size: number, collectMax: number): Promise<string[][]> {
  const parsed = parseInput(receiptFilter, filter);
  const search = await openSearch(deps, SHOP, parsed, order, { collectMax });
  const all: { id: string; key: number }[] = [];
  for (;;) {
    const last = all.at(-1);
    const page = await search.read({ limit: size, after: last ? [last.key, last.id] : null });
    all.push(...page);
    if (page.length < size) break;
  }
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(await search.count()).toBe(all.length);
  const backward = await search.read({ limit: COUNT, backward: true });
  expect(backward.map(({ id }) => id)).toEqual(all.map(({ id }) => id).reverse());
  const groups = Map.groupBy(all, ({ key }) => key);
  return [...groups.values()].map((group) => group.map(({ id }) => id).sort(compare));
}

/** Reversed ranges are refused. */
const isReversed = (filter: Filter): boolean =>
  [
    ['createdFrom', 'createdTo'],
    ['paidFrom', 'paidTo'],
    ['totalMin', 'totalMax'],
  ].some(([from, to]) => (filter[from!] as number) > (filter[to!] as number));

describe('a search finds what the filter means, in its order, page by page', () => {
  test.each(NAMES)('by %s', async (name) => {
    for (const value of VALUES[name]!)
      for (const collectMax of [2_000, 0])
        expect([value, await found({ [name]: value }, NEWEST, 25, collectMax)]).toEqual([
          value,
          expected({ [name]: value }, NEWEST),
        ]);
  });

  test('by any two or more filters, in any order', async () => {
    const pairs = NAMES.flatMap((a, i) => NAMES.slice(i + 1).map((b) => [a, b] as const));
    const filters = fc
      .tuple(fc.nat(), fc.constantFrom(...ORDERS), fc.constantFrom(0, 2_000))
      .map(([n, order, collectMax]) => ({ n, order, collectMax }));
    for (const [i, pair] of pairs.entries()) {
      const [{ n, order, collectMax }] = fc.sample(filters, { numRuns: 1, seed: i }) as [
        { n: number; order: ReceiptOrder; collectMax: number },
      ];
      const filter = Object.fromEntries(pair.map((name, j) => [name, pick(VALUES[name]!, n + i * j)]));
      if (isReversed(filter)) continue;
      expect([filter, order, await found(filter, order, 40, collectMax)]).toEqual([
        filter,
        order,
        expected(filter, order),
      ]);
    }
  });

  test('by no filter at all', async () => {
    for (const order of ORDERS) expect(await found({}, order, 50, 0)).toEqual(expected({}, order));
  });
});

test('a database without the index of parts finds beginnings and amounts, and no part', async () => {
  const alone = await openShop();
  onTestFinished(() => alone.close());
  await alone.run('drop index receipt_terms_parts');
  await insertReceipts({ query: alone.run }, { prefix: 'cart', count: 1 });
  await indexAll(alone.db);
  const found = async (q: string) =>
    (await openSearch({ ...deps, db: alone.db }, SHOP, parseInput(receiptFilter, { q }), NEWEST)).count();
  expect([await found('cart'), await found('art1')]).toEqual([1, 0]);
});
