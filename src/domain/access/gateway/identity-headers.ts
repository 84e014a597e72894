import { refuse } from '../../../base/core/errors.ts';
import { forbid } from '../../../base/core/forbidden.ts';
import type { MemberRole } from '../../../base/core/roles.ts';
import { parseWallet, type Wallet } from '../../../base/core/wallet.ts';
import type { GatewayRequest } from './request.ts';

/** Headers that name a wallet or a subscription. From outside they are claims without proof. */
const IDENTITY_HEADERS = new Set(['wallet', 'x-wallet', 'x-wallet-address', 'x-merchant-wallet', 'x-subscription-id']);

/** Whether a lower-case header name claims an identity. */
export function isIdentityHeader(name: string): boolean {
  return IDENTITY_HEADERS.has(name) || name.startsWith('x-user-');
}

/** The claims of a request, read before its identity headers were removed. */
export interface Claims {
  /** Whether there was any identity header. */
  readonly any: boolean;
  /** The value of `x-wallet`. Only used as the choice of an admin's session on terminal receipts. */
  readonly wallet: string | undefined;
}

const NO_CLAIMS: Claims = { any: false, wallet: undefined };

/** Removes the identity headers from the request, so that no later code can read them. */
export function dropIdentityHeaders(request: GatewayRequest): Claims {
  let claims = NO_CLAIMS;
  for (const name in request.headers) {
    if (!isIdentityHeader(name) || request.headers[name] === undefined) continue;
    const value = String(request.headers[name]);
    claims = { any: true, wallet: name === 'x-wallet' ? value : claims.wallet };
    delete request.headers[name];
  }
  return claims;
}

/**
 * The routes on which a session's `x-wallet` selects a merchant: creating a terminal receipt, where a platform admin
 * must select one, and checking its payment.
 */
const TERMINAL_PATH = '/api/receipts/terminal';
const CHECK_PATH = '/api/terminal/check-payment';

interface Acting {
  readonly merchant: Wallet | null;
  readonly role: MemberRole | null;
}

/** The merchant that a session acts for on this path, and its role there. Errors like `chosenMerchant`. */
export function merchantAt(
  path: string,
  session: Acting & { readonly platformAdmin: boolean },
  claimed: string | undefined,
): Acting {
  const { merchant, role } = session;
  if (path !== TERMINAL_PATH && (path !== CHECK_PATH || claimed === undefined)) return { merchant, role };
  const chosen = chosenMerchant(session, claimed);
  // A platform admin acts as the owner of the merchant that it names.
  return { merchant: chosen, role: chosen === merchant ? role : chosen === null ? null : 'owner' };
}

/**
 * The merchant that an admin's session acts for on terminal receipts. A merchant's own session acts for its merchant
 * and may name it. A platform admin acts for the merchant it names; null if it names none, which the terminal refuses
 * with `wallet_required`.
 *
 * Errors: `invalid_wallet`; `forbidden` if the named wallet is not the session's own.
 */
function chosenMerchant(
  session: { readonly merchant: Wallet | null; readonly platformAdmin: boolean },
  claimed: string | undefined,
): Wallet | null {
  if (claimed === undefined) return session.platformAdmin ? null : session.merchant;
  const named = parseWallet(claimed);
  if (!named) throw refuse('invalid_wallet');
  if (named !== session.merchant && !session.platformAdmin) throw forbid('wallet_not_own');
  return named;
}
