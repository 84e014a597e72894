import { sendCalls, sendsSeveral } from '../../client/calls.ts';
import type { Provider } from '../../client/wallet.ts';
import type { RefundDraftQuery } from '../generated/refunds.ts';

/** Money that goes back to a buyer. */
export interface RefundOrder {
  readonly receiptId: string;
  readonly usd: number;
  readonly buyer: string;
}

/** The transaction of a refund, as the server prepared it. */
type Draft = RefundDraftQuery['refundDraft'];

/** A refund that has been sent, and the transaction that proves it. */
export interface SentRefund extends RefundOrder {
  readonly txHash: string;
}

export interface SendOptions {
  readonly provider: Provider;
  /** The account that sends. */
  readonly from: string;
  readonly drafts: readonly { readonly order: RefundOrder; readonly draft: Draft }[];
  /** Called as soon as a transaction is known, before anything else is sent. */
  onSent(refund: SentRefund): void;
}

const hex = (value: string): string => `0x${BigInt(value).toString(16)}`;

const callOf = ({ to, data, value }: Draft) => ({ to, data, value: hex(value) });

/**
 * Sends refunds from a wallet: several of tokens in one request if the wallet can (EIP-5792), all others one by one.
 * Native coins that a wallet's contract passes on leave no trace that proves them, so they are sent by themselves.
 */
export async function sendRefunds({ provider, from, drafts, onSent }: SendOptions): Promise<void> {
  const tokens = drafts.filter(({ draft }) => draft.value === '0');
  const together = tokens.length > 1 && (await sendsSeveral(provider, from, tokens[0]!.draft.chainId));
  const alone = together ? drafts.filter((one) => !tokens.includes(one)) : drafts;
  if (together) {
    const hashes = await sendTogether(provider, from, tokens);
    for (const [n, { order }] of tokens.entries()) onSent({ ...order, txHash: hashes[n] ?? hashes[0]! });
  }
  for (const { order, draft } of alone) {
    const params = [{ from, ...callOf(draft) }];
    const txHash = (await provider.request({ method: 'eth_sendTransaction', params })) as string;
    onSent({ ...order, txHash });
  }
}

/** The transactions of the calls in their order: one each, or one for all. */
function sendTogether(provider: Provider, from: string, tokens: SendOptions['drafts']): Promise<string[]> {
  const { chainId } = tokens[0]!.draft;
  const calls = tokens.map(({ draft }) => callOf(draft));
  return sendCalls(provider, { from, chainId, atomicRequired: false, calls });
}
