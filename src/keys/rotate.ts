import { refuse } from '../core/errors.ts';
import type { Deps } from '../platform/deps.ts';
import { inTransaction } from '../platform/unit-of-work.ts';
import { addKey, type IssuedKey } from './issue.ts';
import { endKey, type KeyChoice, lockKey } from './revoke.ts';

/**
 * Issues a new key with the same scopes, label and limits, and revokes the old one, in one transaction.
 *
 * Errors: `not_found`; `invalid_input` if the key is already revoked.
 */
export async function rotateKey(
  deps: Pick<Deps, 'orm' | 'sql' | 'clock' | 'settings'>,
  choice: KeyChoice,
): Promise<IssuedKey> {
  return inTransaction(deps, async (uow) => {
    const old = await lockKey(uow, choice);
    if (old.revokedAt !== null) throw refuse('invalid_input', 'This key is revoked: issue a new one');
    await endKey(deps, uow, old);
    const { merchant, scopes, label, unlimited, trustedOnly, limits } = old;
    return addKey(deps, uow, { merchant, scopes, label, unlimited, trustedOnly, limits });
  });
}
