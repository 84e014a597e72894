import { type OperationDefinitionNode, parse } from 'graphql';
import { beforeAll, expect, test } from 'vitest';
import type { Caller } from '../../src/base/core/caller.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { surveyOf } from '../../src/base/graphql/survey.ts';
import { merchantDeps } from '../../src/domain/shop/merchants/test/deps.ts';
import { admin, asker, buyer, developer } from '../../src/domain/shop/merchants/test/graphql.ts';
import { schema } from '../../src/doors/http/server/schema.ts';
import { runStatement, statement } from '../support/statement.ts';

const deps = merchantDeps();
interface Page {
  readonly nodes: readonly { readonly chargeId: string }[];
  readonly pageInfo: { readonly endCursor: string };
}
interface Answer {
  readonly subscription: { readonly charges: Page };
  readonly subscriptions: { readonly nodes: readonly { readonly subscriptionId: string; readonly charges: Page }[] };
  readonly charges: Page;
}
const ask = async (caller: Caller, source: string) => (await asker(schema, deps)(caller, source)) as unknown as Answer;

const SUBSCRIPTIONS = statement(
  'test subscriptions',
  `insert into subscriptions (merchant, id, plan_id, customer, price_cents, period, chain_id, token, permission,
     permission_hash, sealed_signature, status, created_at, updated_at)
   select $1, $1 || '-' || i, 'plan', $2, 1000, 'WEEKLY', 1, $1, '{}', md5($1 || i), '', 'active', i, i
     from generate_series(1, $3::int) i`,
);
/** The charges of period 3 failed, those of the last period have no outcome. */
const CHARGES = statement(
  'test charges',
  `insert into charges (merchant, id, subscription_id, period_start, period_end, status, attempt, split, token, amount,
     amount_cents, fee_cents, receipt_id, nonce, transaction_hash, block_time_ms, failure, created_at, updated_at)
   select s.merchant, s.id || '-' || i, s.id, 604800 * i, 604800 * (i + 1),
     case i when $2::int then 'sent' when 3 then 'failed' else 'succeeded' end, 1, s.merchant, 'USDC', 10000000,
     1000, 5, 'R' || i, i, '0x' || md5(s.id || i), case when i < $2::int then 604800000::bigint * i + 2000 end,
     case i when 3 then 'PORTAL_CHAIN_TX_REVERTED' end, 604800000::bigint * i + 1000, 604800000::bigint * i + 2000
   from subscriptions s, generate_series(1, $2::int) i where s.merchant = $1`,
);

async function withCharges(counts: { subscriptions: number; charges: number }): Promise<Wallet> {
  const merchant = await deps.merchant();
  await runStatement(deps.db, SUBSCRIPTIONS, [merchant, customer, counts.subscriptions]);
  await runStatement(deps.db, CHARGES, [merchant, counts.charges]);
  return merchant;
}

let customer: Wallet;
let merchant: Wallet;
beforeAll(async () => {
  customer = await deps.merchant();
  merchant = await withCharges({ subscriptions: 2, charges: 5 });
});

const chargesOf = (id: string, page = 'first: 9', fields = 'nodes { chargeId }') =>
  `{ subscription(subscriptionId: "${id}") { charges(${page}) { ${fields} } } }`;

test('a charge has its period, amounts, state, transaction, receipt, times and reason of failure', async () => {
  const id = `${merchant}-1`;
  const fields = `nodes { chargeId subscriptionId receiptId state periodStart periodEnd amountUsd feeUsd chainId token
    amount split attempts transactionHash blockTime failureCode createdAt updatedAt }`;
  const answer = await ask(admin(merchant), chargesOf(id, 'first: 3', fields));
  const week = 604_800_000;
  expect(answer.subscription).toMatchObject({
    charges: {
      nodes: [
        { chargeId: `${id}-5`, state: 'sent', blockTime: null, failureCode: null },
        { chargeId: `${id}-4`, state: 'succeeded', blockTime: 4 * week + 2000, failureCode: null },
        {
          chargeId: `${id}-3`,
          subscriptionId: id,
          receiptId: 'R3',
          state: 'failed',
          periodStart: 3 * week,
          periodEnd: 4 * week,
          amountUsd: 10,
          feeUsd: 0.05,
          chainId: 1,
          token: 'USDC',
          amount: '10000000',
          split: merchant,
          attempts: 1,
          transactionHash: expect.stringMatching(/^0x/),
          blockTime: 3 * week + 2000,
          failureCode: 'PORTAL_CHAIN_TX_REVERTED',
          createdAt: 3 * week + 1000,
          updatedAt: 3 * week + 2000,
        },
      ],
    },
  });
});

test('fifty subscriptions and their first ten charges each are read with two statements', async () => {
  const of = await withCharges({ subscriptions: 51, charges: 12 });
  deps.statements.length = 0;
  const answer = await ask(
    admin(of),
    `{ subscriptions(merchant: "${of}", first: 50) { nodes { subscriptionId
      charges(first: 10) { nodes { chargeId } pageInfo { hasNextPage } } } } }`,
  );
  expect(deps.statements).toEqual(['subscriptions merchant f', 'charges-nested f']);
  const { nodes } = answer.subscriptions;
  expect(nodes).toHaveLength(50);
  for (const { subscriptionId, charges } of nodes)
    expect(charges).toEqual({
      nodes: Array.from({ length: 10 }, (_, i) => ({ chargeId: `${subscriptionId}-${12 - i}` })),
      pageInfo: { hasNextPage: true },
    });
});

test('the charges of a list of subscriptions cost their number, and their count costs once for each subscription', () => {
  const points = (fields: string) => {
    const document = parse(`{ subscriptions(first: 50) { nodes { charges(first: 10) { ${fields} } } } }`);
    return surveyOf(schema, document, document.definitions[0] as OperationDefinitionNode).bill({}, {}).points;
  };
  expect(points('nodes { chargeId }')).toBe(1 + 50 * (2 + 10 * 2));
  expect(points('totalCount')).toBe(1 + 50 * (2 + 100));
});

test('different pages of one subscription are each answered with their own entries', async () => {
  const answer = await ask(
    admin(merchant),
    `{ subscription(subscriptionId: "${merchant}-1") { a: charges(first: 1) { nodes { chargeId } totalCount }
      b: charges(last: 2) { nodes { chargeId } } c: charges(first: 0) { nodes { chargeId } totalCount } } }`,
  );
  const ids = (...periods: number[]) => periods.map((period) => ({ chargeId: `${merchant}-1-${period}` }));
  expect(answer.subscription).toEqual({
    a: { nodes: ids(5), totalCount: 5 },
    b: { nodes: ids(2, 1) },
    c: { nodes: [], totalCount: 5 },
  });
});

test('a cursor belongs to the charges of one subscription', async () => {
  const { subscription } = await ask(admin(merchant), chargesOf(`${merchant}-1`, 'first: 1', 'pageInfo { endCursor }'));
  const { endCursor } = subscription.charges.pageInfo;
  const page = `first: 1, after: "${endCursor}"`;
  expect(await ask(admin(merchant), chargesOf(`${merchant}-1`, page))).toEqual({
    subscription: { charges: { nodes: [{ chargeId: `${merchant}-1-4` }] } },
  });
  const other = await ask(admin(merchant), chargesOf(`${merchant}-2`, page));
  expect(other).toMatchObject({ code: 'bad_cursor' });
  expect(await ask(admin(merchant), `{ charges(${page}) { nodes { chargeId } } }`)).toMatchObject({
    code: 'bad_cursor',
  });
});

test('the charges of a subscription are readable by its readers only', async () => {
  const source = chargesOf(`${merchant}-1`);
  for (const caller of [admin(customer), developer(merchant, 'users:read')])
    expect(await ask(caller, source)).not.toHaveProperty('code');
  const stranger = developer(await deps.merchant(), 'receipts:read');
  expect(await ask(stranger, source)).toMatchObject({ code: 'not_found' });
  expect(await ask(buyer(merchant), source)).toMatchObject({ code: 'forbidden' });
});

test('charges of a merchant are selected by state and time, and are those of this merchant only', async () => {
  const other = await withCharges({ subscriptions: 1, charges: 3 });
  const count = async (filter: string, of = merchant) =>
    (await ask(admin(of), `{ charges(${filter}) { totalCount } }`)).charges;
  expect(await count('first: 1')).toEqual({ totalCount: 10 });
  expect(await count('state: failed')).toEqual({ totalCount: 2 });
  expect(await count('state: succeeded')).toEqual({ totalCount: 6 });
  const week = 604_800_000;
  expect(await count(`createdFrom: ${3 * week + 1000}`)).toEqual({ totalCount: 6 });
  expect(await count(`createdFrom: ${3 * week + 1001}`)).toEqual({ totalCount: 4 });
  expect(await count(`createdTo: ${3 * week + 1000}, state: failed`)).toEqual({ totalCount: 2 });
  expect(await count(`createdTo: ${3 * week + 999}, state: failed`)).toEqual({ totalCount: 0 });
  expect(await count('first: 1', other)).toEqual({ totalCount: 3 });
});

test('the merchant’s charges are refused to callers without the scope', async () => {
  const source = '{ charges(first: 1) { totalCount } }';
  for (const caller of [developer(merchant, 'users:read'), buyer(merchant)])
    expect(await ask(caller, source)).toMatchObject({ code: 'forbidden' });
  for (const filter of ['state: paid', 'createdFrom: 1.5', 'createdTo: "x"'])
    expect(await ask(admin(merchant), `{ charges(${filter}) { totalCount } }`)).toHaveProperty('code');
});
