import { afterAll } from 'vitest';
import { startTestChain } from '../../src/base/chain/test/anvil.ts';
import { LOCAL_CHAIN_ID, SLOW_CHAIN_ID } from '../../src/base/core/local-chains.ts';
import { startTestServer } from './server.ts';

/** Starts two chains and a server on both, until the tests of the file end. The second chain needs one confirmation. */
export async function startOnTwoChains() {
  const [first, second] = await Promise.all([startTestChain(), startTestChain([], SLOW_CHAIN_ID)]);
  const server = await startTestServer({
    env: {
      RPC_URL: first.rpcUrl,
      CHAIN_ID: String(LOCAL_CHAIN_ID),
      CHAINS: JSON.stringify([{ chainId: SLOW_CHAIN_ID, rpcUrl: second.rpcUrl, confirmations: 1 }]),
    },
  });
  afterAll(async () => {
    await server.stop();
    await Promise.all([first.stop(), second.stop()]);
  });
  return { first, second, server };
}
