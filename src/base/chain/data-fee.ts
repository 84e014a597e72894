import { parseAbi } from 'viem';
import { keptBy } from '../core/kept.ts';
import { type Chain, reach } from './client.ts';

/**
 * The contract that rollups of the OP Stack have at this address, and other chains have not. It computes what a
 * transaction pays for its data on Ethereum, in addition to its gas
 * (https://docs.optimism.io/op-stack/transactions/fees). Arbitrum counts its data as gas.
 */
const GAS_PRICE_ORACLE = '0x420000000000000000000000000000000000000F';
const ABI = parseAbi(['function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)']);

const hasOracle = keptBy('fee oracle', (chain: Chain) => {
  let known: boolean | null = null;
  return async (): Promise<boolean> => {
    known ??= (await reach(chain.client.getCode({ address: GAS_PRICE_ORACLE }))) !== undefined;
    return known;
  };
});

/**
 * The upper bound of the fee for the data of a transaction of `bytes` bytes, in base units of the chain's coin, in
 * addition to its gas; 0 on a chain without such a fee. Throws `chain_unavailable`.
 */
export async function readDataFee(chain: Chain, bytes: number): Promise<bigint> {
  if (!(await hasOracle(chain)())) return 0n;
  return reach(
    chain.client.readContract({
      address: GAS_PRICE_ORACLE,
      abi: ABI,
      functionName: 'getL1FeeUpperBound',
      args: [BigInt(bytes)],
    }),
  );
}
