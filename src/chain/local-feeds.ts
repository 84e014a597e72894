import { createChain, LOCAL_CHAIN_ID } from './client.ts';
import { deploymentTransaction } from './create2.ts';
import { localAccount } from './local.ts';
import { createSender } from './sender.ts';
import { isDeployed } from './splitter.ts';
import { testPriceFeeds } from './test-price-feed.ts';
import { defaultTokens } from './tokens.ts';

const ATTEMPTS = 5;

/** Deploys the feeds where they are missing; any number of times, by any number of processes. Refuses with `chain_unavailable`. */
export async function deployTestPriceFeeds(rpcUrl: string): Promise<void> {
  const tokens = defaultTokens(LOCAL_CHAIN_ID);
  const chain = createChain({ chainId: LOCAL_CHAIN_ID, rpcUrl, tokens, confirmations: 0 });
  const deployer = createSender(chain, localAccount('deployer').privateKey);
  for (const feed of testPriceFeeds) {
    for (let attempt = 1; !(await isDeployed(chain, feed.address)); attempt++) {
      if (attempt > ATTEMPTS) throw new Error(`The ${feed.currency} feed could not be deployed on ${rpcUrl}`);
      try {
        const { hash } = await deployer.send(deploymentTransaction(feed));
        if (hash !== null) await deployer.waitFor(hash);
      } catch (error) {
        // Another process that deploys at the same time may have taken the nonce; its feed is as good.
        if (attempt === ATTEMPTS) throw error;
      }
    }
  }
}
