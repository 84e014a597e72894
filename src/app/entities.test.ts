import { expect, inject, onTestFinished, test } from 'vitest';
import { createOrm } from '../base/platform/orm.ts';
import { entities } from './entities.ts';

/** The columns that name a block or a transaction: a number or a hash means something on one chain only. */
const OF_A_CHAIN = /^(?:blockHash|blockNumber|.*[a-z]Block|transactionHash(?:es)?|minedHash)$/;

/** Columns whose chain stands in the row that they belong to. */
const BY_PARENT: Readonly<Record<string, string>> = {
  'Charge.transactionHash': 'the chain of its subscription',
  'BillingEvent.transactionHash': 'the chain of the subscription of its charge',
  'SubscriptionEvent.transactionHash': 'the chain of its subscription',
  'Refund.transactionHashes': 'the chains of its transfers, RefundTransfer.chainId',
};

/** The chain of a column, where it has a name of its own. */
const CHAIN_OF: Readonly<Record<string, string>> = {
  'Receipt.createdBlock': 'createdChainId',
  'Receipt.transactionHash': 'paymentChainId',
};

test('every column with a block or a transaction has its chain beside it, or in the row that it belongs to', async () => {
  const orm = await createOrm(inject('databaseUrl'), entities);
  onTestFinished(() => orm.close(true));
  const found = [...orm.getMetadata().getAll().values()].flatMap(({ className, properties }) =>
    Object.keys(properties)
      .filter((column) => OF_A_CHAIN.test(column))
      .map((column) => ({ column: `${className}.${column}`, columns: Object.keys(properties) })),
  );
  expect(found.length).toBeGreaterThan(10);
  const alone = found
    .filter(({ column, columns }) => !columns.includes(CHAIN_OF[column] ?? 'chainId'))
    .map(({ column }) => column);
  expect(alone.sort()).toEqual(Object.keys(BY_PARENT).sort());
});
