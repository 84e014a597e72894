import { afterAll, beforeAll, expect, test } from 'vitest';
import { localAccount } from './local-accounts.ts';
import { deployTestPriceFeeds } from './local-feeds.ts';
import { defaultPriceFeeds, parsePriceFeeds, readPriceFeed } from './price-feeds.ts';
import { createSender } from './sender.ts';
import { startTestChain, type TestChain } from './test/anvil.ts';
import { setPriceTransaction, testPriceFeeds } from './test-price-feed.ts';

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
  await Promise.all([deployTestPriceFeeds(chain.rpcUrl), deployTestPriceFeeds(chain.rpcUrl)]);
});
afterAll(() => chain?.stop());

const [eur] = testPriceFeeds.map(({ address }) => address);

async function set(answer: bigint, updatedAtS: number): Promise<void> {
  const sender = createSender(chain.chain, localAccount('deployer').privateKey);
  const { hash } = await sender.send(setPriceTransaction(eur!, answer, updatedAtS));
  await sender.waitFor(hash!);
}

test('the feeds of the local chain implement AggregatorV3Interface and answer exactly', async () => {
  expect(await readPriceFeed(chain.chain, eur!)).toMatchObject({ usdPerUnit: '1.0842' });
  const eth = defaultPriceFeeds(31337).get('ETH')!;
  expect(await readPriceFeed(chain.chain, eth)).toMatchObject({ usdPerUnit: '3100' });
});

test('an answer has the time at which it was given', async () => {
  await set(115_140_001n, 1_763_640_000);
  expect(await readPriceFeed(chain.chain, eur!)).toEqual({ usdPerUnit: '1.15140001', updatedAt: 1_763_640_000_000 });
});

test('an answer of zero or less is refused', async () => {
  for (const answer of [0n, -1n]) {
    await set(answer, 1_763_640_000);
    await expect(readPriceFeed(chain.chain, eur!)).rejects.toThrow('has no answer');
  }
});

test('reading an address without a feed is refused', async () => {
  await expect(readPriceFeed(chain.chain, localAccount('buyer').address)).rejects.toThrow();
});

test('feeds are parsed from a list of currencies and addresses', () => {
  const address = eur!.toUpperCase().replace('0X', '0x');
  expect([...parsePriceFeeds(`eur=${address}, ETH=${eur}`)]).toEqual([
    ['EUR', eur],
    ['ETH', eur],
  ]);
  expect(() => parsePriceFeeds('EUR')).toThrow('"EUR" is not of the form');
  expect(() => parsePriceFeeds('EUR=0x12')).toThrow('is not of the form');
  expect(() => parsePriceFeeds(`USD=${eur}`)).toThrow('USD is always 1');
});

test('Ethereum, Base and the local chain have feeds, other chains have none', () => {
  for (const chainId of [1, 8453, 31337]) expect([...defaultPriceFeeds(chainId).keys()]).toEqual(['EUR', 'ETH']);
  expect(defaultPriceFeeds(137).size).toBe(0);
});
