import { sendCalls, sendsSeveral } from '../../client/calls.ts';
import { type Provider, sendTransaction } from '../../client/wallet.ts';
import type { RefundDraftsQuery, RefundReason } from '../generated/refunds.ts';

/** Money that goes back to a buyer. */
export interface RefundOrder {
  readonly receiptId: string;
  readonly usd: number;
  readonly buyer: string;
  readonly reason?: RefundReason | null;
  readonly note?: string | null;
}

/** One transaction of a refund, as the server prepared it. */
type Draft = RefundDraftsQuery['refundDrafts'][number];

/** A refund that has been sent, and the transaction that proves it. */
export interface SentRefund extends RefundOrder {
  readonly txHash: string;
  readonly chainId: number;
  readonly token: string;
}

export interface SendOptions {
  readonly provider: Provider;
  /** The account that sends. */
  readonly from: string;
  readonly drafts: readonly Draft[];
  /** Called before the first transaction of each chain. */
  switchTo(chainId: number): Promise<void>;
  /** Called as soon as a transaction is known, before anything else is sent. */
  onSent(refund: SentRefund): void;
}

const hex = (value: string): string => `0x${BigInt(value).toString(16)}`;

const callOf = ({ to, data, value }: Draft) => ({ to, data, value: hex(value) });

/**
 * Sends refunds from a wallet, chain by chain: several of tokens in one request if the wallet can (EIP-5792), all
 * others one by one. Native coins that a wallet's contract passes on leave no trace that proves them, so they are sent
 * by themselves.
 */
export async function sendRefunds({ drafts, switchTo, ...options }: SendOptions): Promise<void> {
  for (const [chainId, those] of Map.groupBy(drafts, (draft) => draft.chainId)) {
    await switchTo(chainId);
    await sendOnChain(chainId, { ...options, drafts: those });
  }
}

async function sendOnChain(
  chainId: number,
  { provider, from, drafts, onSent }: Omit<SendOptions, 'switchTo'>,
): Promise<void> {
  const tokens = drafts.filter(({ value }) => value === '0');
  const together = tokens.length > 1 && (await sendsSeveral(provider, from, chainId));
  const alone = together ? drafts.filter((one) => !tokens.includes(one)) : drafts;
  if (together) {
    const calls = tokens.map(callOf);
    // The transactions of the calls in their order: one each, or one for all.
    const hashes = await sendCalls(provider, { from, chainId, atomicRequired: false, calls });
    for (const [n, draft] of tokens.entries()) onSent(sentOf(draft, hashes[n] ?? hashes[0]!));
  }
  for (const draft of alone) {
    onSent(sentOf(draft, await sendTransaction(provider, chainId, { from, ...callOf(draft) })));
  }
}

const sentOf = ({ receiptId, usd, buyer, chainId, token }: Draft, txHash: string): SentRefund => ({
  receiptId,
  usd,
  buyer,
  chainId,
  token,
  txHash,
});
