import { type Token, toDecimal } from '../chain/tokens.ts';
import type { Deps } from '../platform/deps.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';
import { worthOf } from '../quotes/amounts.ts';
import type { QuoteRow } from '../quotes/reserve.ts';
import type { FailureCode } from '../receipts/failures.ts';
import type { ReceiptStatus } from '../receipts/lifecycle.ts';
import type { Receipt } from '../receipts/receipt.entity.ts';
import { recordChange } from '../receipts/record-change.ts';
import { type Balance, readBalance } from './balance.ts';
import { linkTransfer, type TransferRow } from './transfers.ts';

export type CreditDeps = Pick<Deps, 'boss' | 'bus' | 'clock'>;

/** How a transfer counts for a receipt. */
export interface CreditTerms {
  readonly token: Token;
  /** US dollars per whole token for this transfer, as decimal text. */
  readonly usdPerUnit: string;
  /** The quote that it pays, if there is one. */
  readonly quote: QuoteRow | null;
  /** The admin who assigned the transfer, if it was not matched automatically. */
  readonly assignedBy?: string;
}

/** Whether a quote was valid at the time of the block. */
export const holds = (quote: QuoteRow, blockTimeMs: number): boolean =>
  quote.expiresAt === null || blockTimeMs <= quote.expiresAt;

/**
 * Counts a transfer for a locked receipt that waits for money. A sufficient amount moves the receipt to `tx_mined`; an
 * insufficient one moves it to `tx_mismatch` and records what is missing. The receipt must be `generated`, `pending`,
 * `tx_mismatch` or `failed`.
 */
export async function creditTransfer(
  deps: CreditDeps,
  uow: UnitOfWork,
  receipt: Receipt,
  transfer: TransferRow,
  terms: CreditTerms,
): Promise<void> {
  const { token, quote } = terms;
  const held = quote !== null && holds(quote, transfer.blockTimeMs);
  const value = (amount: string, usdPerUnit: string) => worthOf(BigInt(amount), { ...token, usdPerUnit }).toFixed();
  await linkTransfer(uow, transfer, {
    receiptId: receipt.id,
    quoteId: quote?.id ?? null,
    usd: value(transfer.amount, terms.usdPerUnit),
    askedUsd: held ? value(quote.amount, quote.usdPerUnit) : null,
    exact: held && quote.amount === transfer.amount,
    assignedBy: terms.assignedBy,
  });
  const balance = await readBalance(uow, receipt);
  receipt.transactionHash = transfer.transactionHash;
  receipt.transactionTimestamp = transfer.blockTimeMs;
  // The first sender stays the buyer: a later transfer, however small, must not replace it.
  receipt.buyerWallet ??= transfer.sender;
  if (balance.covered) {
    receipt.paidToken = transfer.token;
    receipt.paidAmount = await sumPaid(uow, receipt, transfer.token);
  }
  await moveByChain(deps, uow, receipt, balance.covered ? 'tx_mined' : 'tx_mismatch', {
    ...describeTransfer(transfer, token),
    ...describeBalance(balance),
    ...(terms.assignedBy === undefined ? {} : { assignedBy: terms.assignedBy }),
  });
}

/**
 * Moves a receipt according to the chain. A payment without a quote also starts the payment, so `pending` is recorded
 * first.
 */
export async function moveByChain(
  deps: CreditDeps,
  uow: UnitOfWork,
  receipt: Receipt,
  to: ReceiptStatus,
  detail: Record<string, unknown>,
  failureCode: FailureCode | null = null,
): Promise<void> {
  const circumstances = { actor: 'chain', detail };
  if (receipt.status === 'generated') {
    await recordChange(deps, uow, receipt, { kind: 'status', to: 'pending' }, { actor: 'chain' });
  }
  if (failureCode !== null) receipt.failureCode = failureCode;
  const change =
    receipt.status === to ? ({ kind: 'note', name: `${to}_again` } as const) : ({ kind: 'status', to } as const);
  await recordChange(deps, uow, receipt, change, circumstances);
}

async function sumPaid(uow: UnitOfWork, receipt: Receipt, token: string): Promise<string> {
  const [row] = await uow.sql<{ sum: string }>(
    'select sum(amount)::numeric(78,0) as sum from transfers where merchant = $1 and receipt_id = $2 and token = $3 and canonical',
    [receipt.merchant, receipt.id, token],
  );
  return row!.sum;
}

/** A transfer for the history. */
export const describeTransfer = (transfer: TransferRow, token: Pick<Token, 'decimals'> | undefined) => ({
  transactionHash: transfer.transactionHash,
  blockNumber: transfer.blockNumber,
  token: transfer.token,
  amount: transfer.amount,
  ...(token && { display: toDecimal(BigInt(transfer.amount), token.decimals) }),
});

/** The missing amount or the surplus, if any. */
export const describeBalance = ({ missingUsd, surplusUsd }: Balance) => ({
  ...(missingUsd === '0' ? {} : { missingUsd }),
  ...(surplusUsd === '0' ? {} : { surplusUsd }),
});
