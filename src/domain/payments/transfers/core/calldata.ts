import { decodeFunctionData, erc20Abi, type Hex } from 'viem';
import { parseWallet, type Wallet } from '../../../../base/core/wallet.ts';

/** The transfer encoded in a transaction's call data. */
export interface IntendedTransfer {
  /** The token's contract; null for the chain's native coin. */
  readonly contract: Wallet | null;
  readonly to: Wallet;
  /** Base units. */
  readonly value: bigint;
}

/**
 * Decodes a plain transfer of the native coin, and `transfer` and `transferFrom` of an ERC-20; null for any other call.
 */
export function readIntent(contract: Wallet | null, input: Hex | null, sent = 0n): IntendedTransfer | null {
  if (contract === null || input === null) return null;
  if (input === '0x') return sent > 0n ? { contract: null, to: contract, value: sent } : null;
  try {
    const call = decodeFunctionData({ abi: erc20Abi, data: input });
    if (call.functionName !== 'transfer' && call.functionName !== 'transferFrom') return null;
    const [recipient, value] = call.functionName === 'transfer' ? call.args : [call.args[1], call.args[2]];
    const to = parseWallet(recipient);
    return to && { contract, to, value };
  } catch {
    return null;
  }
}
