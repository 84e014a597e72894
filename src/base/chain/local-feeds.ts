import { LOCAL_CHAIN_ID } from '../core/local-chains.ts';
import { createChain } from './client.ts';
import { deployOnce } from './deploy-once.ts';
import { localAccount } from './local-accounts.ts';
import { createSender } from './sender.ts';
import { testPriceFeeds } from './test-price-feed.ts';
import { defaultTokens } from './tokens.ts';

/** Deploys the missing price feeds. Idempotent, also across processes. Throws `chain_unavailable`. */
export async function deployTestPriceFeeds(rpcUrl: string): Promise<void> {
  const tokens = defaultTokens(LOCAL_CHAIN_ID);
  const chain = createChain({ chainId: LOCAL_CHAIN_ID, rpcUrl, tokens, confirmations: 0 });
  const deployer = createSender(chain, localAccount('deployer').privateKey);
  for (const feed of testPriceFeeds) await deployOnce(chain, deployer, feed);
}
