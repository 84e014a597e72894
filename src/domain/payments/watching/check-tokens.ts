import { findTokenFault } from '../../../base/chain/check-tokens.ts';
import type { Chain } from '../../../base/chain/client.ts';
import { inTime } from '../../../base/chain/in-time.ts';
import { defaultTokens } from '../../../base/chain/tokens.ts';
import { keptBy } from '../../../base/core/kept.ts';
import { isLocalChain } from '../../../base/core/local-chains.ts';
import { configFault } from '../../../base/platform/config/variable-fault.ts';
import type { Deps } from '../../../base/platform/deps.ts';

/** How long the start waits for a node that does not respond. */
const START_MS = 2_500;
const RETRY_MS = 5_000;

type TokenDeps = Pick<Deps, 'settings' | 'chain' | 'log'>;

/** Checks the tokens of every chain; see `checkTokens`. */
export async function checkAllTokens(deps: TokenDeps & Pick<Deps, 'chains'>): Promise<TokenCheck> {
  const checks = await Promise.all(deps.chains.map((chain) => checkTokens({ ...deps, chain })));
  return {
    stop() {
      for (const check of checks) check.stop();
    },
  };
}

/** Retries a check that could not complete at the start. */
export interface TokenCheck {
  stop(): void;
}

const checkOf = keptBy('check of the tokens', (_chain: Chain) => ({ begun: null as Promise<TokenCheck> | null }));

/**
 * Compares the configured tokens with their contracts before they are offered: with wrong decimals, a fraction of the
 * price would pay a receipt. Throws `ConfigFaults` if they differ. If the chain does not respond, the start continues,
 * and no token is offered until a check succeeds. The test tokens of the local chain are not checked.
 */
export function checkTokens(deps: TokenDeps): Promise<TokenCheck> {
  const check = checkOf(deps.chain);
  check.begun ??= begin(deps);
  return check.begun;
}

async function begin({ settings, chain, log }: TokenDeps): Promise<TokenCheck> {
  const { chainId } = chain;
  if (isLocalChain(chainId) && chain.tokens === defaultTokens(chainId)) return { stop() {} };
  const variable = chainId === settings.chainId ? 'TOKENS' : 'CHAINS';
  let timer: NodeJS.Timeout | undefined;
  const read = () => inTime(findTokenFault(chain), START_MS).catch(() => undefined);
  const later = async () => {
    const fault = await read();
    if (fault === undefined) timer = setTimeout(later, RETRY_MS).unref();
    else if (fault === null) chain.offering.open = true;
    else log.error({ alert: 'wrong_token', chainId, fault }, `no token is offered because ${variable} is wrong`);
  };
  const fault = await read();
  if (typeof fault === 'string') throw configFault(variable, fault);
  if (fault === undefined) {
    chain.offering.open = false;
    log.warn({ chainId }, 'tokens could not be checked: none is offered until the chain responds');
    timer = setTimeout(later, RETRY_MS).unref();
  }
  return { stop: () => clearTimeout(timer) };
}
