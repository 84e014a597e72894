import { type Provider, requireChain } from './wallet.ts';

/** A call as a wallet takes it. The value is hex. */
interface WalletCall {
  readonly to: string;
  readonly data: string;
  readonly value: string;
}

/** Calls that a wallet sends in one request (EIP-5792). */
export interface CallBatch {
  readonly from: string;
  readonly chainId: number;
  /** Whether all calls are undone if one fails. */
  readonly atomicRequired: boolean;
  readonly calls: readonly WalletCall[];
}

const hex = (value: number): string => `0x${value.toString(16)}`;

/** Whether the wallet sends several calls in one request on this chain. */
export async function sendsSeveral(provider: Provider, from: string, chainId: number): Promise<boolean> {
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
const CONFIRMED = 200;

/**
 * Sends the calls and waits until they are in a block. Returns the hashes of their transactions in order: one each, or
 * one for all. Throws the wallet's error, or one with the status of the batch if it failed. A batch that is not atomic
 * may have succeeded in part: then the hashes are returned.
 */
export async function sendCalls(provider: Provider, { chainId, ...batch }: CallBatch): Promise<string[]> {
  await requireChain(provider, chainId);
  const params = [{ version: '2.0.0', chainId: hex(chainId), ...batch }];
  const sent = (await provider.request({ method: 'wallet_sendCalls', params })) as { id: string };
  for (;;) {
    const answer = await provider.request({ method: 'wallet_getCallsStatus', params: [sent.id] });
    const { status, receipts = [] } = answer as CallsStatus;
    const failed = status > CONFIRMED && (batch.atomicRequired || receipts.length === 0);
    if (failed) throw Object.assign(new Error('batch'), { code: status });
    if (status >= CONFIRMED && receipts.length > 0) return receipts.map(({ transactionHash }) => transactionHash);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
