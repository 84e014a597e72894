import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Wallet } from '../../../../base/core/wallet.ts';
import { RECEIPT } from '../../../sales/receipts/lifecycle.ts';
import { paidBalance } from './confirm.ts';
import { judgeAttempt } from './intent.ts';
import { decideReversal, fallBack } from './reverse.ts';
import { type CreditedTransfer, changesTo, linkTo, weigh } from './weigh.ts';

const wallet = (digit: string) => `0x${digit.repeat(40)}` as Wallet;
const credited = (usd: string, more: Partial<CreditedTransfer> = {}): CreditedTransfer => ({
  usd,
  chainId: 1,
  transactionHash: `0x${'a'.repeat(64)}`,
  blockTimeMs: 1_000,
  sender: wallet('1'),
  token: 'USDC',
  amount: '4000000',
  confirmedAt: 2_000,
  ...more,
});
const due = { totalCents: 1_000, refundedCents: 0 };

test('a transfer counts at its rate, to the last base unit', () => {
  const link = (usdPerUnit: string) =>
    linkTo({ id: 'R-1' }, { amount: '10001234' }, { token: { decimals: 6 }, usdPerUnit });
  expect(link('1')).toEqual({ receiptId: 'R-1', usd: '10.001234', assignedBy: null });
  expect(link('2').usd).toBe('20.002468');
});

test('sufficient credits are a payment, whose amount is the sum in the last token on its chain; others are a mismatch', () => {
  const ether = credited('6', { token: 'ETH', amount: '2' });
  expect(weigh(due, [credited('4')], { token: 'USDC', chainId: 1 })).toMatchObject({ to: 'tx_mismatch', paid: null });
  expect(weigh(due, [credited('4'), ether], { token: 'ETH', chainId: 1 })).toMatchObject({
    to: 'tx_mined',
    paid: { paidToken: 'ETH', paidAmount: '2' },
  });
  const elsewhere = credited('4', { chainId: 10 });
  const four = [credited('4'), ether, elsewhere, credited('4')];
  expect(weigh(due, four, { token: 'USDC', chainId: 1 }).paid).toEqual({ paidToken: 'USDC', paidAmount: '8000000' });
  expect(weigh(due, four, elsewhere).paid).toEqual({ paidToken: 'USDC', paidAmount: '4000000' });
});

test('every change by the chain is allowed for a receipt that waits, and pending comes first for a new one', () => {
  for (const from of ['generated', 'pending', 'failed', 'tx_mismatch'] as const)
    for (const to of ['tx_mined', 'tx_mismatch', 'failed'] as const) {
      let status: (typeof RECEIPT.statuses)[number] = from;
      for (const change of changesTo(from, to)) {
        if (change.kind !== 'status') continue;
        expect(RECEIPT.mayMove(status, change.to)).toBe(true);
        status = change.to;
      }
      expect(status).toBe(to);
    }
  expect(changesTo('tx_mismatch', 'tx_mismatch')).toEqual([{ kind: 'note', name: 'tx_mismatch_again' }]);
});

test('a receipt is paid once all its credits are confirmed and cover it', () => {
  expect(paidBalance(due, [credited('4'), credited('6')])).toMatchObject({ covered: true });
  expect(paidBalance(due, [credited('4'), credited('6', { confirmedAt: null })])).toBeNull();
  expect(paidBalance(due, [credited('4')])).toBeNull();
  expect(paidBalance(due, [])).toBeNull();
});

test('a final receipt keeps a payment that lost its block, and the loss of a final payment is an alarm', () => {
  for (const status of RECEIPT.statuses) {
    const isFinal = ['paid', 'completed', 'refunded'].includes(status);
    expect(decideReversal({ status }, { confirmedAt: null })).toEqual({ isKept: isFinal, isAlarming: isFinal });
    expect(decideReversal({ status }, { confirmedAt: 1 })).toEqual({ isKept: isFinal, isAlarming: true });
  }
});

test('without its lost transfer a receipt is what its remaining credits make it', () => {
  const paid = { buyerWallet: wallet('9'), transactionTimestamp: 1_000 };
  const receipt = { ...due, ...paid, status: 'tx_mined', origin: 'order' } as const;
  expect(fallBack(receipt, [])).toMatchObject({
    to: 'pending',
    fields: { transactionHash: null, buyerWallet: null, paidToken: null, paidAmount: null },
  });
  expect(fallBack(receipt, [credited('4')])).toMatchObject({
    to: 'tx_mismatch',
    fields: { buyerWallet: wallet('1') },
  });
  const covered = fallBack(receipt, [credited('4'), credited('6', { blockTimeMs: 3_000 })]);
  expect(covered).toMatchObject({
    to: null,
    fields: { transactionTimestamp: 3_000 },
  });
  expect(covered?.fields).not.toHaveProperty('paidToken');
  expect(fallBack({ ...receipt, origin: 'charge' }, [])?.fields.buyerWallet).toBe(wallet('9'));
  expect(fallBack({ ...receipt, status: 'pending', transactionTimestamp: null }, [])).toBeNull();
  // A mismatch without money was none of the lost transfer's doing.
  expect(fallBack({ ...receipt, status: 'tx_mismatch', transactionTimestamp: null }, [])).toBeNull();
});

test('a receipt that has ended names a lost payment no more, and stays ended', () => {
  const ended = {
    ...due,
    status: 'failed',
    origin: 'order',
    buyerWallet: wallet('9'),
    transactionTimestamp: 1,
  } as const;
  expect(fallBack(ended, [])).toMatchObject({
    to: null,
    fields: { transactionHash: null, transactionTimestamp: null, buyerWallet: null },
  });
});

test('a reverted payment fails its receipt, one in another token is a mismatch, and others are of no concern', () => {
  const [address, usdc] = [wallet('2'), wallet('5')];
  const judge = (
    outcome: 'success' | 'reverted',
    to: Wallet,
    contract: Wallet | null,
    status: 'pending' | 'tx_mismatch' = 'pending',
    transactionTimestamp: number | null = null,
  ) =>
    judgeAttempt({
      receipt: { status, transactionTimestamp },
      outcome,
      intent: { contract, to, value: 1n },
      addresses: [wallet('1'), address],
      tokens: [{ address: usdc }, { address: null }],
    });
  const failed = { to: 'failed', failureCode: 'PORTAL_CHAIN_TX_REVERTED' };
  expect(judge('reverted', address, usdc)).toEqual(failed);
  expect(judge('reverted', address, null)).toEqual(failed);
  expect(judge('reverted', address, usdc, 'tx_mismatch')).toEqual(failed);
  expect(judge('reverted', address, usdc, 'tx_mismatch', 1_000)).toBeNull();
  expect(judge('reverted', address, wallet('6'))).toBeNull();
  expect(judge('success', address, usdc)).toBeNull();
  expect(judge('success', address, wallet('6'))).toEqual({ to: 'tx_mismatch', reason: 'wrong_token' });
  for (const outcome of ['success', 'reverted'] as const) expect(judge(outcome, wallet('7'), usdc)).toBeNull();
});

test('the decisions import nothing that reads or writes rows', () => {
  const folder = new URL('.', import.meta.url);
  for (const name of readdirSync(folder).filter((file) => !/\.(test|entity)\./.test(file))) {
    const text = readFileSync(new URL(name, folder), 'utf8');
    // Imports of types alone leave no code.
    const imports = [...text.matchAll(/^import (?!type )[^;]*? from '([^']+)'/gm)].map(([, path]) => path);
    const allowed =
      /^(big\.js|viem|\.\/[\w-]+\.ts|[./]+\/(base\/core\/[\w-]+|quotes\/amounts|sales\/receipts\/(ended|lifecycle))\.ts)$/;
    expect(imports.filter((path) => !allowed.test(path as string))).toEqual([]);
  }
});
