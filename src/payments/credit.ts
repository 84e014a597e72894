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

/** On what ground a transfer counts for a receipt. */
export interface CreditTerms {
  readonly token: Token;
  /** US dollars per whole token at which it counts, as decimal text. */
  readonly usdPerUnit: string;
  /** The quote that it answers, where there is one. */
  readonly quote: QuoteRow | null;
  /** Who said that it belongs here, where the chain alone did not. */
  readonly assignedBy?: string;
}

/** Whether a quote still held when the block was made. */
export const holds = (quote: QuoteRow, blockTimeMs: number): boolean =>
  quote.expiresAt === null || blockTimeMs <= quote.expiresAt;

/**
 * Lets a transfer count for a locked receipt that waits for money: enough is `tx_mined`, too little `tx_mismatch` with what is missing. The receipt
 * must be one of `generated`, `pending`, `tx_mismatch`, `failed`.
 */
export async function creditTransfer(
  deps: CreditDeps,
  uow: UnitOfWork,
  receipt: Receipt,
  transfer: TransferRow,
  ground: CreditTerms,
): Promise<void> {
  const { token, quote } = ground;
  const held = quote !== null && holds(quote, transfer.blockTimeMs);
  const value = (amount: string, usdPerUnit: string) => worthOf(BigInt(amount), { ...token, usdPerUnit }).toFixed();
  await linkTransfer(uow, transfer, {
    receiptId: receipt.id,
    quoteId: quote?.id ?? null,
    usd: value(transfer.amount, ground.usdPerUnit),
    askedUsd: held ? value(quote.amount, quote.usdPerUnit) : null,
    exact: held && quote.amount === transfer.amount,
    assignedBy: ground.assignedBy,
  });
  const balance = await readBalance(uow, receipt);
  receipt.transactionHash = transfer.transactionHash;
  receipt.transactionTimestamp = transfer.blockTimeMs;
  // The first sender stays: a later credit, however small, must not name another wallet as the buyer's.
  receipt.buyerWallet ??= transfer.sender;
  if (balance.covered) {
    receipt.paidToken = transfer.token;
    receipt.paidAmount = await sumPaid(uow, receipt, transfer.token);
  }
  await moveByChain(deps, uow, receipt, balance.covered ? 'tx_mined' : 'tx_mismatch', {
    ...describeTransfer(transfer, token),
    ...describeBalance(balance),
    ...(ground.assignedBy === undefined ? {} : { assignedBy: ground.assignedBy }),
  });
}

/** Moves a receipt to what the chain says of it. Whoever pays without a quote of his own has begun the payment with it: `pending` comes first. */
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

/** A transfer as the history tells of it. */
export const describeTransfer = (transfer: TransferRow, token: Pick<Token, 'decimals'> | undefined) => ({
  transactionHash: transfer.transactionHash,
  blockNumber: transfer.blockNumber,
  token: transfer.token,
  amount: transfer.amount,
  ...(token && { display: toDecimal(BigInt(transfer.amount), token.decimals) }),
});

/** What is missing or over, where anything is. */
export const describeBalance = ({ missingUsd, surplusUsd }: Balance) => ({
  ...(missingUsd === '0' ? {} : { missingUsd }),
  ...(surplusUsd === '0' ? {} : { surplusUsd }),
});
