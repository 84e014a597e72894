import { encodeFunctionData, erc20Abi, type Hex } from 'viem';
import type { Wallet } from '../core/wallet.ts';
import { toAddress } from './address.ts';
import type { Token } from './token.ts';

/** A call that moves a token, as a wallet sends it. */
export interface TransferCall {
  readonly to: Wallet;
  readonly data: Hex;
  /** In wei. */
  readonly value: bigint;
}

/** The call that sends base units of a token: of its contract, or a plain transfer of the native coin. */
export function transferCall({ address }: Pick<Token, 'address'>, to: Wallet, amount: bigint): TransferCall {
  if (address === null) return { to, data: '0x', value: amount };
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [toAddress(to), amount] });
  return { to: address, data, value: 0n };
}
