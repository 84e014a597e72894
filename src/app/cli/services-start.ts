import { prepareLocalChain } from '../../base/chain/local.ts';
import { LOCAL_CHAIN_ID, SLOW_CHAIN_ID } from '../../base/core/local-chains.ts';
import { readConfig } from '../../base/platform/config/config.ts';
import { createLog } from '../../base/platform/log/log.ts';
import { openServices } from './open-services.ts';
import { print } from './print.ts';

/** `quittance services start`: starts the embedded database and the local chain with test tokens. */
export async function servicesStart(options: { json?: boolean }): Promise<void> {
  const config = readConfig();
  const services = await openServices(config, createLog('warn'), { keep: true });
  const databaseUrl = config.databaseUrl ?? services.databaseUrl;
  const rpcUrl = config.rpcUrl ?? services.rpcUrl;
  try {
    if (config.chainId === LOCAL_CHAIN_ID && services.rpcUrl) await prepareLocalChain(services.rpcUrl);
    if (services.slowRpcUrl) await prepareLocalChain(services.slowRpcUrl, SLOW_CHAIN_ID);
  } finally {
    await services.stop();
  }
  print({ databaseUrl, rpcUrl }, options.json, [`DATABASE_URL=${databaseUrl}`, `RPC_URL=${rpcUrl}`]);
}
