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

const hex = (value: number | string): string => `0x${BigInt(value).toString(16)}`;

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

/** Whether the wallet sends several calls in one request on this chain. */
async function sendsSeveral(provider: Provider, from: string, chainId: number): Promise<boolean> {
  try {
    const chain = hex(chainId);
    const answer = await provider.request({ method: 'wallet_getCapabilities', params: [from, [chain]] });
    const { atomic } = (answer as Record<string, { atomic?: { status?: string } }>)[chain] ?? {};
    return atomic?.status === 'supported' || atomic?.status === 'ready';
  } catch {
    return false;
  }
}

interface CallsStatus {
  /** 100: pending, 200: confirmed; others: failed. */
  readonly status: number;
  readonly receipts?: readonly { readonly transactionHash: string }[];
}

const POLL_MS = 1_000;
const PENDING = 200;

/** The transactions of the calls in their order: one each, or one for all. */
async function sendTogether(provider: Provider, from: string, tokens: SendOptions['drafts']): Promise<string[]> {
  const { chainId } = tokens[0]!.draft;
  const calls = tokens.map(({ draft }) => callOf(draft));
  const batch = { version: '2.0.0', chainId: hex(chainId), from, atomicRequired: false, calls };
  const sent = (await provider.request({ method: 'wallet_sendCalls', params: [batch] })) as { id: string };
  for (;;) {
    const answer = await provider.request({ method: 'wallet_getCallsStatus', params: [sent.id] });
    const { status, receipts = [] } = answer as CallsStatus;
    if (status >= PENDING && receipts.length > 0) return receipts.map(({ transactionHash }) => transactionHash);
    if (status > PENDING) throw Object.assign(new Error('The batch failed.'), { code: status });
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
