import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareLocalChain } from '../../src/base/chain/local.ts';
import { LOCAL_CHAIN_ID } from '../../src/base/core/local-chains.ts';
import { startServices } from '../../src/base/platform/embedded/services.ts';

/**
 * A local chain as a start brings it up: test tokens deployed, and blocks coming on top of each payment. With
 * `tailBlocks` 0 a block comes with each transaction and when one is mined by hand, so that a payment can be held in
 * any state.
 */
export async function startLivingChain(
  tailBlocks?: number,
): Promise<{ readonly rpcUrl: string; stop(): Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'quittance-chain-'));
  const services = await startServices({
    dataDir,
    chainId: LOCAL_CHAIN_ID,
    wantPostgres: false,
    wantChain: true,
    tailBlocks,
    log: { info: () => {}, warn: console.warn },
  });
  await prepareLocalChain(services.rpcUrl!);
  return {
    rpcUrl: services.rpcUrl!,
    async stop() {
      await services.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
