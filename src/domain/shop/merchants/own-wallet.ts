import { type Caller, merchantOf, sessionOf } from '../../../base/core/caller.ts';
import { refuse } from '../../../base/core/errors.ts';
import { forbid } from '../../../base/core/forbidden.ts';
import type { Wallet } from '../../../base/core/wallet.ts';

/** Requires that a `wallet` in a body is the caller's own merchant. Refuses any other with `forbidden`. */
export function requireOwnWallet(merchant: Wallet, wallet: Wallet | null | undefined): void {
  if (wallet != null && wallet !== merchant) throw forbid('wallet_not_own', 'wallet must be your own merchant wallet');
}

/**
 * The merchant that a session acts for. A platform admin must name it in each request, so that no request goes to the
 * wrong merchant. Refuses with `wallet_required`, and with `forbidden` a wallet that the session may not act for.
 */
export function merchantActedFor(caller: Caller, named: Wallet | null | undefined): Wallet {
  const { merchant, platformAdmin } = sessionOf(caller);
  const chosen = named ?? (platformAdmin ? null : merchant);
  if (chosen === null) throw refuse('wallet_required', 'Name the merchant wallet to act for');
  if (chosen !== merchant && !platformAdmin) throw forbid('wallet_not_own', 'wallet must be your own merchant wallet');
  return chosen;
}

/**
 * The merchant whose resources a caller reads: its own, or the one that a platform admin names. Refuses with
 * `wallet_required` a platform admin without a merchant that names none, and with `forbidden` any other wallet.
 */
export function merchantReadBy(caller: Caller, named: Wallet | null | undefined): Wallet {
  if (caller.kind === 'session' && caller.platformAdmin) {
    const chosen = named ?? caller.merchant;
    if (chosen === null) throw refuse('wallet_required', 'Name the merchant wallet to read');
    return chosen;
  }
  const merchant = merchantOf(caller);
  requireOwnWallet(merchant, named);
  return merchant;
}
