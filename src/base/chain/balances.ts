import { encodeFunctionData, erc20Abi } from 'viem';
import type { Wallet } from '../core/wallet.ts';
import { toAddress } from './address.ts';
import { askStranger } from './ask-stranger.ts';
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

/** Far above what a look-up of a balance takes. */
const BALANCE_GAS_MAX = 100_000n;

/**
 * A wallet's balance of a contract that a stranger named, in base units; 0 if the contract does not answer as a token
 * does. Throws `chain_unavailable`.
 */
export async function readTokenBalance(
  chain: Chain,
  wallet: Wallet,
  token: Wallet,
  blockNumber: bigint,
): Promise<bigint> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [toAddress(wallet)] });
  const asked = await askStranger(chain, { to: token, data, gas: BALANCE_GAS_MAX, blockNumber });
  return asked.kind === 'returned' && asked.data.length === 66 ? BigInt(asked.data) : 0n;
}
