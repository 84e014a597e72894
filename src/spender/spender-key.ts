import { planCharger } from '../chain/charger.ts';
import type { Deployment } from '../chain/create2.ts';
import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import { weakMemo } from '../core/weak-memo.ts';
import type { Deps } from '../platform/deps.ts';
import { spenderOf } from './spender.ts';
import { openWallet, type SigningWallet } from './wallet.ts';

/** The wallet that charges, and the contracts it calls on one chain. */
export interface SpenderKey extends SigningWallet {
  readonly manager: Wallet;
  readonly charger: Deployment;
}

const keysOf = weakMemo((_settings: Deps['settings']) => new Map<number, SpenderKey>());

/** The key that charges on the chain of this work. Refuses with `spender_not_configured`. */
export function openSpenderKey(deps: Pick<Deps, 'settings' | 'chain'>): SpenderKey {
  const keys = keysOf(deps.settings);
  const { chainId } = deps.chain;
  const known = keys.get(chainId);
  if (known) return known;
  const { manager } = spenderOf(deps);
  const { spenderPrivateKey } = deps.settings;
  if (spenderPrivateKey === null) throw refuse('spender_not_configured');
  const wallet = openWallet('spender', spenderPrivateKey);
  const key = { ...wallet, manager, charger: planCharger(manager, wallet.sender) };
  keys.set(chainId, key);
  return key;
}
