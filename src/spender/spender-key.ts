import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { toWallet } from '../chain/address.ts';
import { planCharger } from '../chain/charger.ts';
import type { Deployment } from '../chain/create2.ts';
import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { spenderOf } from './spender.ts';

/** The wallet that charges, and the contracts it calls. */
export interface SpenderKey {
  readonly account: PrivateKeyAccount;
  /** The account's address. */
  readonly sender: Wallet;
  readonly manager: Wallet;
  readonly charger: Deployment;
}

const opened = new WeakMap<Deps['settings'], SpenderKey>();

/** The key that charges on this server. Refuses with `spender_not_configured`. */
export function openSpenderKey(deps: Pick<Deps, 'settings' | 'chain'>): SpenderKey {
  const known = opened.get(deps.settings);
  if (known) return known;
  const { manager } = spenderOf(deps);
  const { spenderPrivateKey } = deps.settings;
  if (spenderPrivateKey === null) throw refuse('spender_not_configured');
  const account = privateKeyToAccount(spenderPrivateKey);
  const sender = toWallet(account.address);
  const key = { account, sender, manager, charger: planCharger(manager, sender) };
  opened.set(deps.settings, key);
  return key;
}
