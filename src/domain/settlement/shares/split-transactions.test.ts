import { describe, expect, it } from 'vitest';
import type { Wallet } from '../../../base/core/wallet.ts';
import { rowsOf } from '../../../base/platform/test/rows.ts';
import { type Transfer, TransferSchema } from '../../payments/transfers/core/transfer.entity.ts';
import type { ReceiptStatus } from '../../sales/receipts/lifecycle.ts';
import { ReceiptSchema } from '../../sales/receipts/receipt.entity.ts';
import { merchantDeps, PLATFORM, walletOf } from '../../shop/merchants/test/deps.ts';
import { configureSplit, replaceSplit } from '../../shop/splits/configure.ts';
import { SettlementShareSchema } from './settlement.entity.ts';
import { listSplitTransactions, parseTransactionQuery } from './split-transactions.ts';

const deps = merchantDeps();
const hash = (n: number) => `0x${n.toString(16).padStart(64, '0')}` as const;

async function receipt(merchant: Wallet, id: string, status: ReceiptStatus) {
  const em = deps.db.orm.em.fork();
  await em.insert(ReceiptSchema, {
    merchant,
    id,
    origin: 'order',
    status,
    seq: 1,
    announcedStatus: status,
    totalCents: 100,
    currency: 'USD',
    lineItems: [],
    brandName: 'x',
    stockTaken: true,
    createdAt: deps.now.ms,
    updatedAt: deps.now.ms,
  });
}

let block = 1;
async function transfer(merchant: Wallet, payTo: Wallet, receiptId: string | null, more: Partial<Transfer> = {}) {
  const em = deps.db.orm.em.fork();
  block += 1;
  await em.insert(TransferSchema, {
    chainId: deps.settings.chainId,
    blockHash: hash(block),
    transactionHash: hash(block),
    logIndex: 3,
    blockNumber: block,
    blockTimeMs: 1_700_000_000_000 + block,
    token: 'USDC',
    sender: walletOf('9'),
    payTo,
    amount: '1000001',
    canonical: true,
    merchant,
    receiptId,
    seenAt: deps.now.ms,
    ...more,
  });
  return hash(block);
}

async function share(
  merchant: Wallet,
  receiptId: string,
  split: Wallet,
  payee: Wallet,
  owed: string,
  settledAt: number | null,
) {
  const { chainId } = deps.settings;
  const em = deps.db.orm.em.fork();
  await em.insert(SettlementShareSchema, {
    merchant,
    receiptId,
    payee,
    chainId,
    split,
    token: 'USDC',
    sharesBps: 50,
    owed,
    releasedAtLeast: owed,
    settledAt,
  });
}

describe('the transactions of a split', () => {
  it('are the payments of paid receipts, newest first, with amounts and fees in whole tokens', async () => {
    const [a, b] = [await deps.merchant(), await deps.merchant()];
    const split = (await configureSplit(deps, a, {})).split.address!;
    const other = (await configureSplit(deps, b, {})).split.address!;
    for (const [id, status] of [
      ['r-paid', 'paid'],
      ['r-done', 'completed'],
      ['r-mined', 'tx_mined'],
      ['r-two', 'paid'],
    ] as const) {
      await receipt(a, id, status);
    }
    await receipt(b, 'r-paid', 'paid');
    const paid = await transfer(a, split, 'r-paid');
    const done = await transfer(a, split, 'r-done', { amount: '123000001' });
    await share(a, 'r-done', split, a, '122385001', 1);
    await share(a, 'r-done', split, PLATFORM, '615001', 1);
    await transfer(a, split, 'r-mined');
    await transfer(a, split, null);
    await transfer(a, split, 'r-paid', { canonical: false });
    await transfer(b, other, 'r-paid');
    const eth = await transfer(a, split, 'r-two', { token: 'ETH', amount: '1500000000000000000' });

    expect(await rowsOf(listSplitTransactions(deps, a))).toEqual([
      expect.objectContaining({ receiptId: 'r-two', currency: 'ETH', amount: 1.5, fees: 0.0075, transactionHash: eth }),
      {
        id: `${done}-3`,
        receiptId: 'r-done',
        amount: 123.000001,
        currency: 'USDC',
        status: 'completed',
        timestamp: expect.stringMatching(/^2023-11-14T22:13:20\.\d{3}Z$/),
        transactionHash: done,
        fees: 0.615001,
      },
      expect.objectContaining({
        receiptId: 'r-paid',
        amount: 1.000001,
        fees: 0.005,
        status: 'pending',
        transactionHash: paid,
      }),
    ]);
    expect(await rowsOf(listSplitTransactions(deps, a), { limit: 1 })).toHaveLength(1);
    deps.statements.length = 0;
    await rowsOf(listSplitTransactions(deps, a));
    expect(deps.statements).toEqual(['split-transactions f']);
  });

  it('are filtered by split or recipient, in any letter case, and never show another merchant’s', async () => {
    const [a, b] = [await deps.merchant(), await deps.merchant()];
    const first = (await configureSplit(deps, a, {})).split.address!;
    const helper = walletOf('1');
    const { address: second } = await replaceSplit(deps, a, {
      recipients: [
        { address: a, sharesBps: 5000 },
        { address: helper, sharesBps: 4950 },
      ],
    });
    await receipt(a, 'one', 'paid');
    await receipt(a, 'two', 'paid');
    await transfer(a, first, 'one');
    await transfer(a, second!, 'two');
    const ids = async (merchant: Wallet, address: string) =>
      (await rowsOf(listSplitTransactions(deps, merchant, parseTransactionQuery({ address })))).map(
        ({ receiptId }) => receiptId,
      );
    expect(await ids(a, first)).toEqual(['one']);
    expect(await ids(a, `0x${second!.slice(2).toUpperCase()}`)).toEqual(['two']);
    expect(await ids(a, helper)).toEqual(['two']);
    expect(await ids(a, a)).toEqual(['two', 'one']);
    expect(await ids(a, walletOf('2'))).toEqual([]);
    expect(await ids(a, '')).toEqual(['two', 'one']);
    expect(await ids(b, first)).toEqual([]);
  });

  it('are those of an arrival by the hash of the payment, found by its split, recipients and receipt’s address', async () => {
    const [a, b] = [await deps.merchant(), await deps.merchant()];
    const split = (await configureSplit(deps, a, {})).split.address!;
    const [payTo, beside] = [walletOf('5'), walletOf('6')];
    await receipt(a, 'arrived', 'completed');
    await receipt(a, 'direct', 'paid');
    const arrival = { addressOf: 'arrived', split, collected: true };
    const paid = await transfer(a, payTo, 'arrived', { ...arrival, amount: '2000000' });
    await transfer(a, split, null, { sender: payTo, addressOf: 'arrived', amount: '2000000' });
    await transfer(a, split, 'direct');
    const ids = async (merchant: Wallet, query: object) =>
      (await rowsOf(listSplitTransactions(deps, merchant, parseTransactionQuery(query)))).map(
        ({ receiptId }) => receiptId,
      );
    const [, row] = await rowsOf(listSplitTransactions(deps, a));
    expect(row).toMatchObject({ receiptId: 'arrived', transactionHash: paid, amount: 2, fees: 0.01 });
    for (const address of [split, a, PLATFORM]) expect(await ids(a, { address })).toEqual(['direct', 'arrived']);
    expect(await ids(a, { address: payTo })).toEqual(['arrived']);
    expect(await ids(a, { address: payTo, receiptAddresses: false })).toEqual([]);
    expect(await ids(a, { address: split, receiptAddresses: false })).toEqual(['direct', 'arrived']);
    expect(await ids(a, { address: beside })).toEqual([]);
    expect(await ids(b, { address: payTo })).toEqual([]);
  });

  it.each([{ address: '0x12' }, { address: '%' }])('refuse %j', (input) => {
    expect(() => parseTransactionQuery(input)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });
});
