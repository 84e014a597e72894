import { actorOf, type Caller, keyOf, merchantOf } from '../core/caller.ts';
import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';

/** Who makes a receipt: for which merchant, and with which key, which then signs its webhooks. */
export interface Author {
  readonly merchant: Wallet;
  readonly keyId: string | null;
  readonly actor: string;
}

/** The author that a caller is; refuses one without a merchant. */
export function authorOf(caller: Caller): Author {
  return { merchant: merchantOf(caller), keyId: keyOf(caller)?.keyId ?? null, actor: actorOf(caller) };
}

/** A webhook is signed with the caller's key; without one there is nothing to sign with. */
export function requireSigningKey(author: Author, options: { readonly webhookUrl?: string }): void {
  if (options.webhookUrl === undefined || author.keyId !== null) return;
  throw refuse(
    'invalid_input',
    'webhookUrl needs a developer key: webhooks are signed with the key that creates the receipt',
    { field: 'webhookUrl' },
  );
}
