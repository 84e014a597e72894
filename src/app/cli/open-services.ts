import { deepestBlocks } from '../../base/chain/finality.ts';
import { isLocalChain } from '../../base/core/local-chains.ts';
import type { Config } from '../../base/platform/config/config.ts';
import { readServices, type Services, startServices } from '../../base/platform/embedded/services.ts';
import type { Logger } from '../../base/platform/log/log.ts';

/**
 * Starts (or joins) the embedded services that the configuration does not replace. `keep` leaves them running until
 * `services stop`. An `RPC_URL` of the embedded chain itself (as printed by `services start`) joins it too, so that the
 * chain continues to mine blocks.
 */
export async function openServices(config: Config, log: Logger, options: { keep?: boolean } = {}): Promise<Services> {
  const { chainId, rpcUrl, dataDir } = config;
  const local = isLocalChain(chainId) && rpcUrl !== null;
  const own = local && (await readServices(dataDir)).rpcUrl === rpcUrl?.replace(/\/$/, '');
  return startServices({
    dataDir,
    chainId,
    wantPostgres: config.databaseUrl === null,
    wantChain: rpcUrl === null || own,
    wantSlowChain: config.furtherChains.some((chain) => chain.rpcUrl === null),
    tailBlocks: deepestBlocks(config.finality, chainId) + 4,
    log: { info: (message) => log.info(message), warn: (message) => log.warn(message) },
    ...options,
  });
}
