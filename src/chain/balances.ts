import { erc20Abi } from 'viem';
import type { Wallet } from '../core/wallet.ts';
import { toAddress } from './address.ts';
import { type Chain, reach } from './client.ts';

/** A wallet's balance of a token (null: the native coin) at the block, in base units. Throws `chain_unavailable`. */
export function readBalance(chain: Chain, wallet: Wallet, token: Wallet | null, blockNumber: bigint): Promise<bigint> {
  const address = toAddress(wallet);
  return reach(
    token === null
      ? chain.client.getBalance({ address, blockNumber })
      : chain.client.readContract({
          abi: erc20Abi,
          address: toAddress(token),
          functionName: 'balanceOf',
          args: [address],
          blockNumber,
        }),
  );
}
