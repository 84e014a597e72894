import { ExecutionRevertedError } from 'viem';
import { toAddress } from '../../chain/address.ts';
import { type Chain, findError, reach } from '../../chain/client.ts';
import type { WalletCall } from '../../chain/create2.ts';
import type { SigningWallet } from './wallet.ts';

/** The gas limit of a call; or why it is not sent: it would revert, or it needs more gas than allowed. */
export type Estimate =
  | { readonly kind: 'ready'; readonly gas: bigint }
  | { readonly kind: 'reverts'; readonly reason: string }
  | { readonly kind: 'over_gas_max'; readonly reason: string };

/** The gas of a transaction without data that calls no code. */
const PLAIN_GAS = 21_000n;
/** The most that an estimate tries: payees and payers run code in it. A split of 100 payees takes 7 million. */
const ESTIMATED_GAS_MAX = 15_000_000n;
/** The most that a chain adds to a small transaction for posting its data. */
const DATA_GAS_MAX = 3_000_000n;

/**
 * Estimates a call on the pending block. The limit has a margin, because transactions before it may change its cost;
 * unused gas is not paid. `gasMax` does not count gas that a chain adds to every transaction for posting its data.
 * Refuses with `chain_unavailable`.
 */
export async function estimateCall(
  { client, strangersClient }: Chain,
  { sender }: SigningWallet,
  { to, data }: WalletCall,
  gasMax?: bigint,
): Promise<Estimate> {
  const account = toAddress(sender);
  try {
    const gas = gasMax === undefined ? ESTIMATED_GAS_MAX : gasMax + DATA_GAS_MAX;
    const call = { account, to: to && toAddress(to), data, gas, blockTag: 'pending' } as const;
    const needed = await reach(strangersClient.estimateGas(call));
    const ample = (needed * 5n) / 4n;
    if (gasMax === undefined || ample <= gasMax) return { kind: 'ready', gas: ample };
    const most = gasMax + (await reach(client.estimateGas({ account, to: account }))) - PLAIN_GAS;
    if (needed > most) return { kind: 'over_gas_max', reason: `the transaction needs ${needed} gas` };
    return { kind: 'ready', gas: ample < most ? ample : most };
  } catch (error) {
    const revert = findError(error, ExecutionRevertedError);
    if (revert === null) throw error;
    return { kind: 'reverts', reason: revert.shortMessage };
  }
}
