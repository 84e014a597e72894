import { privateKeyToAddress } from 'viem/accounts';
import { toWallet } from '../chain/address.ts';
import { onGround } from './ground.ts';
import { print } from './print.ts';

/** `quittance info`: what is running here, and where. */
export async function info(options: { json?: boolean }): Promise<void> {
  const answer = await onGround(async ({ settings }) => ({
    baseUrl: settings.baseUrl,
    databaseUrl: settings.databaseUrl,
    redisUrl: settings.redisUrl,
    chainId: settings.chainId,
    rpcUrl: settings.rpcUrl,
    tokens: Object.fromEntries(settings.tokens.map(({ symbol, address, decimals }) => [symbol, { address, decimals }])),
    platformRecipient: settings.platformRecipient,
    spendPermissionManager: settings.spendPermissionManager,
    spender: settings.spenderPrivateKey ? toWallet(privateKeyToAddress(settings.spenderPrivateKey)) : null,
    dataDir: settings.dataDir,
  }));
  print(
    answer,
    options.json,
    Object.entries(answer).map(
      ([name, value]) => `${name.padEnd(24)}${typeof value === 'object' ? JSON.stringify(value) : value}`,
    ),
  );
}
