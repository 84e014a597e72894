import { expect, test } from 'vitest';
import { ACROSS_CHAINS, chainKeyFaults } from './chain-keys.ts';
import { sources } from './sources.ts';

const entity = {
  path: 'src/domain/settlement/shares/planted.entity.ts',
  text: `const Schema = defineEntity({
  name: 'Parcel',
  tableName: 'parcels',
  properties: {
    merchant: p.text().primary(),
    chainId: p.bigint('number').primary(),
  },
});`,
};
const faultsOf = (text: string) =>
  chainKeyFaults([entity, { path: 'src/domain/settlement/shares/planted.ts', text }], {});

test.each([
  "await uow.db.updateTable('Parcel').set({ owed }).where('merchant', '=', merchant).execute();",
  "const rows = query('x', (db, $) => db.selectFrom('Parcel').select(['chainId', 'merchant']).where('token', '=', $.token));",
  "db.selectFrom('Receipt as r').innerJoin('Parcel as o', (join) => join.onRef('o.merchant', '=', 'r.merchant')).where('r.chainId', '=', chainId);",
  "await db.deleteFrom('Parcel').where((eb) => eb.and({ merchant, receiptId })).execute();",
  "const rows = sql`select owed from parcels where merchant = 'm' order by chain_id`;",
  'const rows = sql`update parcels o set owed = null from receipts r where o.merchant = r.merchant and r.chain_id = 1`;',
])('a statement that does not bind the chain of its table is reported: %s', (text) => {
  expect(faultsOf(text)).toEqual([
    'src/domain/settlement/shares/planted.ts:1: a statement on Parcel does not bind its chain_id',
  ]);
});

test.each([
  "await uow.db.updateTable('Parcel').set({ owed }).where('merchant', '=', merchant).where('chainId', '=', chainId).execute();",
  "db.selectFrom('Transfer as t').innerJoin('Parcel as o', (join) => join.onRef('o.chainId', '=', 't.chainId'));",
  "await db.deleteFrom('Parcel').where((eb) => eb.and({ merchant, chainId })).execute();",
  "db.selectFrom('Parcel').select(['chainId']).groupBy(['merchant', 'chainId']);",
  'const rows = sql`select owed from parcels p where p.chain_id = 1`;',
])('a statement that binds it passes: %s', (text) => {
  expect(faultsOf(text)).toEqual([]);
});

test('an exception that no statement needs is reported, and every exception has a reason', () => {
  const exceptions = { 'src/domain/settlement/shares/gone.ts Parcel': 'was needed once' };
  expect(chainKeyFaults([entity], exceptions)).toEqual([
    'test/gates/chain-keys.ts: "src/domain/settlement/shares/gone.ts Parcel" needs no exception',
  ]);
  expect(Object.values(ACROSS_CHAINS).every((reason) => reason.length > 10)).toBe(true);
});

test('an exception of one statement leaves the other statements of its file checked', () => {
  const path = 'src/domain/settlement/payouts/collections.ts';
  const planted = sources().map((source) => {
    if (source.path !== path) return source;
    return { path, text: source.text.replace("    .where('s.chainId', '=', $.chainId)\n", '') };
  });
  expect(chainKeyFaults(planted)).toEqual([
    expect.stringMatching(/payouts\/collections\.ts:\d+: a statement on Split does not bind its chain_id$/),
  ]);
});

test('the statement that computes shares is reported without its chain', () => {
  const planted = sources().map(({ path, text }) =>
    path === 'src/domain/settlement/shares/compute-owed.ts'
      ? { path, text: text.replace("      .where('chainId', '=', chain.chainId)\n", '') }
      : { path, text },
  );
  expect(chainKeyFaults(planted)).toEqual([
    expect.stringMatching(
      /^src\/domain\/settlement\/shares\/compute-owed\.ts:\d+: a statement on SettlementShare does not bind/,
    ),
  ]);
});
