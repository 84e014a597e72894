import { expect, test } from 'vitest';
import { LOCAL_CHAIN_ID } from '../core/local-chains.ts';
import { explorerUrl, transactionUrl } from './explorers.ts';
import { defaultTokens } from './tokens.ts';

const HASH = `0x${'ab'.repeat(32)}`;

test('every chain with default tokens has an explorer, over https', () => {
  const chains = [1, 10, 137, 8453, 42161, 84532, 11155111];
  for (const chain of chains) {
    expect(defaultTokens(chain).length).toBeGreaterThan(0);
    expect(transactionUrl(chain, HASH)).toMatch(new RegExp(`^https://[a-z.]+/tx/${HASH}$`));
  }
});

test('the local chain and unknown chains have no explorer, and a null hash has no address', () => {
  expect(explorerUrl(LOCAL_CHAIN_ID)).toBeNull();
  expect(transactionUrl(424242, HASH)).toBeNull();
  expect(transactionUrl(1, null)).toBeNull();
});
