import { baseBlocks, paceOf } from '../../chain/finality.ts';
import { defaultTokens } from '../../chain/tokens.ts';
import { isLocalChain, LOCAL_CHAIN_ID } from '../../core/local-chains.ts';
import { readChains } from './chains.ts';
import { faultLine } from './fault-line.ts';
import type { Given } from './given.ts';

/**
 * The chains with their defaults. Variables of the first chain stand above its entry in `CHAINS`. A public chain needs
 * an endpoint. Faults are added to `faults`.
 */
export function readChainSettings(given: Given, production: boolean, faults: string[]) {
  const { first, further } = readChains(given, LOCAL_CHAIN_ID, {
    production,
    fault: (problem) => faults.push(faultLine('CHAINS', problem)),
  });
  const chainId = given.CHAIN_ID ?? first?.chainId ?? LOCAL_CHAIN_ID;
  const local = isLocalChain(chainId);
  const finality = given.CONFIRMATIONS ?? first?.finality ?? paceOf(chainId).finality;
  const rpcUrl = given.RPC_URL ?? first?.rpcUrl ?? null;
  if (rpcUrl === null && (!local || given.RPC_FALLBACK_URL !== undefined)) {
    const where = local ? 'together with RPC_FALLBACK_URL' : `for chain ${chainId}`;
    faults.push(faultLine('RPC_URL', `must be set ${where}`));
  }
  return {
    chainId,
    rpcUrl,
    rpcFallbackUrls: given.RPC_FALLBACK_URL ?? first?.rpcFallbackUrls ?? [],
    tokens: given.TOKENS ?? first?.tokens ?? defaultTokens(chainId),
    confirmations: baseBlocks(finality, chainId),
    finality,
    furtherChains: further,
    spendPermissionManager: given.SPEND_PERMISSION_MANAGER ?? first?.spendPermissionManager ?? null,
  };
}
