import { expect, test } from 'vitest';
import { answerFaults } from './graphql-answers.ts';

const QUERY = `query ($id: ID!) { a: receipt(receiptId: $id) { __typename id totalUsd ...More } }
  fragment More on Receipt { status createdAt buyerWallet }`;
const receipt = {
  ...{ __typename: 'Receipt', id: 'r', totalUsd: 1.5, status: 'paid', createdAt: 1, buyerWallet: null },
};
const faults = (change: object, rest: object = {}) =>
  answerFaults(QUERY, { data: { a: { ...receipt, ...change }, ...rest } });

test('an answer fits its document and the schema, or the check says where it does not', () => {
  expect(faults({})).toEqual([]);
  expect(answerFaults(QUERY, { data: { a: null } })).toEqual([]);
  expect(answerFaults(QUERY, { data: null, errors: [{}] })).toEqual([]);
  expect(answerFaults(QUERY, { data: null })).toEqual(['no data and no errors']);
  expect(faults({ totalUsd: 1.005 })).toEqual(['data.a.totalUsd is 1.005, which is no Usd']);
  expect(faults({ status: 'lost' })).toEqual(['data.a.status is "lost", which is no ReceiptStatus']);
  expect(faults({ createdAt: null })).toEqual(['data.a.createdAt is null and must not be']);
  expect(faults({ buyerWallet: 'abc' })).toEqual(['data.a.buyerWallet is "abc", which is no Wallet']);
  expect(faults({ more: 1 })).toEqual(['data.a.more was not asked for']);
  expect(faults({}, { b: 1 })).toEqual(['data.b was not asked for']);
  const { createdAt, ...without } = receipt;
  expect([createdAt, answerFaults(QUERY, { data: { a: without } })]).toEqual([1, ['data.a.createdAt is missing']]);
});
