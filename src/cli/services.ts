import { readConfig } from '../platform/config.ts';
import { startServices, stopServices } from '../platform/embedded/services.ts';

/** `quittance services start`: the embedded database and local chain, until `services stop`. */
export async function servicesStart(): Promise<void> {
  const config = readConfig();
  const { databaseUrl, rpcUrl } = await startServices({
    dataDir: config.dataDir,
    chainId: config.chainId,
    wantPostgres: config.databaseUrl === null,
    wantChain: config.rpcUrl === null,
    tailBlocks: config.confirmations + 4,
    keep: true,
    log: { info: () => {}, warn: (message) => process.stderr.write(`${message}\n`) },
  });
  process.stdout.write(`DATABASE_URL=${databaseUrl ?? config.databaseUrl}\nRPC_URL=${rpcUrl ?? config.rpcUrl}\n`);
}

/** `quittance services stop` */
export async function servicesStop(): Promise<void> {
  await stopServices(readConfig().dataDir);
}
