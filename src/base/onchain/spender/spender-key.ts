import type { Hex } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { toWallet } from '../../chain/address.ts';
import { planCharger } from '../../chain/charger.ts';
import type { Deployment } from '../../chain/create2.ts';
import { refuse } from '../../core/errors.ts';
import { keptBy } from '../../core/kept.ts';
import type { Wallet } from '../../core/wallet.ts';
import type { Deps } from '../../platform/deps.ts';
import { spenderOf } from './spender.ts';

/** The wallet that charges, and the contracts it calls on one chain. */
export interface SpenderKey extends SigningWallet {
  readonly manager: Wallet;
  readonly charger: Deployment;
}

type KeyDeps = Pick<Deps, 'settings' | 'chain'>;

/** The current key first. */
type SpenderKeys = readonly [SpenderKey, ...SpenderKey[]];

const keysOf = keptBy('spender keys', (_settings: Deps['settings']) => new Map<number, SpenderKeys>());

/**
 * The keys that charge on the chain of this work: the current one, which new permissions name, then the previous ones,
 * which charge the permissions that name them. Refuses with `spender_not_configured`.
 */
export function openSpenderKeys(deps: KeyDeps): SpenderKeys {
  const known = keysOf(deps.settings);
  const { chainId } = deps.chain;
  const opened = known.get(chainId);
  if (opened) return opened;
  const { manager } = spenderOf(deps);
  const { spenderPrivateKey, previousSpenderKeys } = deps.settings;
  if (spenderPrivateKey === null) throw refuse('spender_not_configured');
  const open = (privateKey: Hex): SpenderKey => {
    const wallet = openWallet('spender', privateKey);
    return { ...wallet, manager, charger: planCharger(manager, wallet.sender) };
  };
  const keys: SpenderKeys = [open(spenderPrivateKey), ...previousSpenderKeys.map(open)];
  known.set(chainId, keys);
  return keys;
}

/** The current key of the chain of this work. Refuses with `spender_not_configured`. */
export const openSpenderKey = (deps: KeyDeps): SpenderKey => openSpenderKeys(deps)[0];

/** The key whose contract a permission names; null if this server has none. Refuses with `spender_not_configured`. */
export const findKeyOf = (deps: KeyDeps, spender: Wallet): SpenderKey | null =>
  openSpenderKeys(deps).find(({ charger }) => charger.address === spender) ?? null;

/** A wallet whose transactions this server signs. Each wallet has its own nonces. */
export interface SigningWallet {
  /** `spender` charges subscriptions; `settlement` deploys splits and releases shares. */
  readonly role: 'spender' | 'settlement';
  readonly account: PrivateKeyAccount;
  /** The account's address. */
  readonly sender: Wallet;
}

/** The wallet of a private key, in a role. */
export function openWallet(role: SigningWallet['role'], privateKey: Hex): SigningWallet {
  const account = privateKeyToAccount(privateKey);
  return { role, account, sender: toWallet(account.address) };
}
