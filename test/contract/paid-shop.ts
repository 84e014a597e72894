import { afterAll } from 'vitest';
import { startTestChain } from '../../src/base/chain/test/anvil.ts';
import { until } from '../support/program.ts';
import { startTestServer } from '../support/server.ts';

/**
 * A merchant whose payments the tests of one file follow: a chain of its own, where blocks come only with transactions
 * and with `mineUntil`, and a server with its workers that asks for one confirmation. Both end after the last test.
 */
export async function openPaidShop(env: Record<string, string> = {}, databaseUrl?: string) {
  const chain = await startTestChain();
  const server = await startTestServer({
    worker: true,
    databaseUrl,
    env: { RPC_URL: chain.rpcUrl, CONFIRMATIONS: '1', ...env },
  });
  afterAll(async () => {
    await server.stop();
    await chain.stop();
  });
  const merchant = await server.merchant();
  const session = await server.signIn(merchant.account);
  return {
    chain,
    server,
    merchant,
    /** The headers of its admin's session. */
    session,
    /** Lets blocks pass until the answer is true. */
    mineUntil: (ask: () => boolean | Promise<boolean>) =>
      until(async () => {
        await chain.control.mine({ blocks: 1 });
        return ask();
      }),
  };
}
