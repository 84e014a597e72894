import { formatUnits, isAddress, parseAbi } from 'viem';
import { parseWallet, type Wallet } from '../core/wallet.ts';
import { toAddress } from './address.ts';
import { type Chain, reach } from './client.ts';
import { testPriceFeeds } from './test-price-feed.ts';

/** Price feeds by currency. Each answers with US dollars per unit. */
export type PriceFeeds = ReadonlyMap<string, Wallet>;

/** Addresses have EIP-55 checksums, so that a typo fails at startup. */
function feeds(checksummed: Readonly<Record<string, string>>): PriceFeeds {
  return new Map(
    Object.entries(checksummed).map(([currency, text]) => {
      const address = isAddress(text) ? parseWallet(text) : null;
      if (!address) throw new Error(`${currency}: ${text} is not an address with a valid checksum`);
      return [currency, address] as const;
    }),
  );
}

/** Chainlink's proxies by chain: https://docs.chain.link/data-feeds/price-feeds/addresses */
const feedsByChain: Readonly<Record<number, PriceFeeds>> = {
  // Ethereum
  1: feeds({
    EUR: '0xb49f677943BC038e9857d61E7d053CaA2C1734C1',
    ETH: '0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419',
  }),
  // Base
  8453: feeds({
    EUR: '0xc91D87E81faB8f93699ECf7Ee9B44D11e1D53F0F',
    ETH: '0x71041dddad3595F9CEd3DcCFBe3D1F4b0a16Bb70',
  }),
  // The local chain
  31337: new Map(testPriceFeeds.map(({ currency, address }) => [currency, address])),
};

/**
 * The age from which the answer of a feed is refused, in seconds, where the feed is updated far more often than once a
 * day: every 20 minutes on Base and every hour on Ethereum. A chain whose sequencer stops has such answers, too.
 */
const MAX_AGE_S: ReadonlyMap<Wallet, number> = new Map([
  [feedsByChain[1]!.get('ETH')!, 7_200],
  [feedsByChain[8453]!.get('ETH')!, 3_600],
]);

/** The age from which the answer of a feed is refused, in seconds; null if the feed is not a known one. */
export const maxAgeOfFeed = (feed: Wallet): number | null => MAX_AGE_S.get(feed) ?? null;

/** The feeds of a known chain; empty for any other chain. */
export function defaultPriceFeeds(chainId: number): PriceFeeds {
  return feedsByChain[chainId] ?? new Map();
}

/** Parses `EUR=0x…,ETH=0x…`. Throws an `Error` that names the faulty entry. */
export function parsePriceFeeds(text: string): PriceFeeds {
  const parsed = new Map<string, Wallet>();
  for (const entry of text.split(',').map((part) => part.trim())) {
    const [currency = '', raw] = entry.split('=');
    const address = parseWallet(raw);
    if (!/^[A-Za-z][A-Za-z0-9]{1,11}$/.test(currency) || !address) {
      throw new Error(`"${entry}" is not of the form EUR=0x… with 40 hex digits`);
    }
    if (currency.toUpperCase() === 'USD') throw new Error(`"${entry}": USD is always 1 and has no feed`);
    parsed.set(currency.toUpperCase(), address);
  }
  return parsed;
}

const aggregatorAbi = parseAbi([
  'function decimals() view returns (uint8)',
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
]);

/** The answer of a feed. */
export interface FeedAnswer {
  /** Exact decimal text. */
  readonly usdPerUnit: string;
  /** Epoch ms, by the chain's clock. */
  readonly updatedAt: number;
}

/**
 * Reads a feed with Chainlink's AggregatorV3Interface. Throws an `Error` if it has no usable answer, and
 * `chain_unavailable`.
 */
export async function readPriceFeed(chain: Chain, feed: Wallet): Promise<FeedAnswer> {
  const contract = { abi: aggregatorAbi, address: toAddress(feed) } as const;
  const [decimals, [, answer, , updatedAtS]] = await reach(
    Promise.all([
      chain.client.readContract({ ...contract, functionName: 'decimals' }),
      chain.client.readContract({ ...contract, functionName: 'latestRoundData' }),
    ]),
  );
  // A round without an answer returns 0; a broken feed may return any value.
  if (answer <= 0n || updatedAtS === 0n) throw new Error(`The price feed at ${feed} has no answer`);
  return { usdPerUnit: formatUnits(answer, decimals), updatedAt: Number(updatedAtS) * 1000 };
}
