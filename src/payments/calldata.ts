import { decodeFunctionData, erc20Abi, type Hex } from 'viem';
import { parseWallet, type Wallet } from '../core/wallet.ts';

/** What a transaction meant to pay, by its own words. */
export interface IntendedTransfer {
  /** The contract that was called. */
  readonly contract: Wallet;
  readonly to: Wallet;
  /** Base units. */
  readonly value: bigint;
}

/** Reads `transfer` and `transferFrom` of an ERC-20; null for any other call. */
export function readIntent(contract: Wallet | null, input: Hex | null): IntendedTransfer | null {
  if (contract === null || input === null) return null;
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
