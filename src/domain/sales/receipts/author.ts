import { actorOf, type Caller, keyOf, merchantOf } from '../../../base/core/caller.ts';
import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';

/** The creator of a receipt: the merchant, and the key that signs the receipt's webhooks. */
export interface Author {
  readonly merchant: Wallet;
  readonly keyId: string | null;
  readonly actor: string;
}

/** The author for a caller. Refuses a caller without a merchant. */
export function authorOf(caller: Caller): Author {
  return { merchant: merchantOf(caller), keyId: keyOf(caller)?.keyId ?? null, actor: actorOf(caller) };
}

/** Refuses `webhookUrl` from a caller without a key, because webhooks are signed with the caller's key. */
export function requireSigningKey(author: Author, options: { readonly webhookUrl?: string }): void {
  if (options.webhookUrl === undefined || author.keyId !== null) return;
  throw refuse(
    'invalid_input',
    'webhookUrl needs a developer key: webhooks are signed with the key that creates the receipt',
    { field: 'webhookUrl' },
  );
}
