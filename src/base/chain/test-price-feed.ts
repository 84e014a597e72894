import { encodeDeployData, encodeFunctionData, type Hex, parseAbi, zeroHash } from 'viem';
import type { Wallet } from '../core/wallet.ts';
import artifact from './contracts/test-price-feed.json' with { type: 'json' };
import { addressOf, type Deployment, type TransactionCall } from './create2.ts';

/** A feed of the local chain: US dollars per unit of a currency. */
export interface TestPriceFeed extends Deployment {
  readonly currency: string;
}

const DECIMALS = 8;

const abi = parseAbi([
  'constructor(uint8 decimals, string description, int256 answer)',
  'function set(int256 answer, uint256 updatedAt)',
]);

function planTestPriceFeed(currency: string, answer: bigint): TestPriceFeed {
  const initCode = encodeDeployData({
    abi,
    bytecode: artifact.bytecode as Hex,
    args: [DECIMALS, `${currency} / USD`, answer],
  });
  return { currency, address: addressOf(initCode, zeroHash), salt: zeroHash, initCode };
}

/**
 * Substitutes for Chainlink's feeds on the local chain. Their addresses depend only on their code. They start with the
 * default static rates.
 */
export const testPriceFeeds: readonly TestPriceFeed[] = [
  planTestPriceFeed('EUR', 108_420_000n),
  planTestPriceFeed('ETH', 310_000_000_000n),
];

/**
 * Sets a feed to an answer (8 decimals) and its time in Unix seconds. 0: the time of the block in which the feed is
 * read.
 */
export function setPriceTransaction(feed: Wallet, answer: bigint, updatedAtS: number): TransactionCall {
  return { to: feed, data: encodeFunctionData({ abi, functionName: 'set', args: [answer, BigInt(updatedAtS)] }) };
}
