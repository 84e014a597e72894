import { refuse } from '../core/errors.ts';
import { forbid } from '../core/forbidden.ts';
import { parseWallet, type Wallet } from '../core/wallet.ts';
import type { GatewayRequest } from './request.ts';

/** Headers that name a wallet or a subscription: whoever sends them from outside claims an identity, and proves none. */
const IDENTITY_HEADERS = new Set(['wallet', 'x-wallet', 'x-wallet-address', 'x-merchant-wallet', 'x-subscription-id']);

/** Whether a lower-case header name claims an identity. */
export function isIdentityHeader(name: string): boolean {
  return IDENTITY_HEADERS.has(name) || name.startsWith('x-user-');
}

/** What a request claimed before its identity headers were dropped. */
export interface Claims {
  /** Whether there was any such header. */
  readonly any: boolean;
  /** What `x-wallet` said; read only as the choice of an admin's session on terminal receipts. */
  readonly wallet: string | undefined;
}

const NO_CLAIMS: Claims = { any: false, wallet: undefined };

/** Takes the identity headers out of the request, so that nothing behind the gateway can read them. */
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

/** The routes where a session's `x-wallet` is a choice: making a terminal receipt, where a platform admin must choose, and asking whether it is paid. */
const TERMINAL_PATH = '/api/receipts/terminal';
const CHECK_PATH = '/api/terminal/check-payment';

/** The merchant that a session acts for on this path. Errors as `chosenMerchant`. */
export function merchantAt(
  path: string,
  session: { readonly merchant: Wallet | null; readonly platformAdmin: boolean },
  claimed: string | undefined,
): Wallet | null {
  const chooses = path === TERMINAL_PATH || (path === CHECK_PATH && claimed !== undefined);
  return chooses ? chosenMerchant(session, claimed) : session.merchant;
}

/**
 * The merchant that an admin's session acts for on terminal receipts. A merchant's own session acts for itself, and may say so. A platform admin acts
 * for the merchant it names; where it names none the answer is null, which the terminal refuses with `wallet_required`.
 *
 * Errors: `invalid_wallet`; `forbidden` where a wallet is named that is not the session's own.
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
