import { verifyTypedSignature } from '../../../base/chain/signatures.ts';
import type { Session } from '../../../base/core/caller.ts';
import { refuse } from '../../../base/core/errors.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { inTransaction } from '../../../base/platform/unit-of-work.ts';
import type { LoginInput } from './login.input.ts';
import { type SignedIn, signedIn } from './login.ts';
import { confirmTypedData, takeChallenge } from './login-challenge.ts';
import { announceSession } from './session.ts';

/**
 * Confirms a session with a signature of its wallet, so that for five minutes it may change money and rights. Every
 * attempt uses up the nonce.
 *
 * Errors: `invalid_input` (no such challenge for this session at this host), `invalid_signature`, `chain_unavailable`
 * (a smart account's signature that cannot be verified now).
 */
export async function confirmSession(
  deps: Pick<Deps, 'orm' | 'sql' | 'clock' | 'settings' | 'chain'>,
  caller: Session,
  { nonce, signature }: Pick<LoginInput, 'nonce' | 'signature'>,
  host: string,
): Promise<SignedIn> {
  const { wallet, sessionId } = caller;
  const facts = await takeChallenge(deps, nonce, { wallet, host, sessionId });
  if (!facts) {
    const message = 'The challenge is unknown, used or expired: request a new one with confirmChallenge';
    throw refuse('invalid_input', message, { field: 'nonce' });
  }
  const typedData = confirmTypedData(deps.settings.chainId, facts);
  if (!(await verifyTypedSignature(deps.chain, { wallet, typedData, signature })))
    throw refuse('invalid_signature', 'The signature does not match this wallet and challenge');
  const confirmedAt = deps.clock();
  await inTransaction(deps, async (uow) => {
    await uow.db
      .updateTable('Session')
      .set({ confirmedAt })
      .where('id', '=', sessionId)
      .where('revokedAt', 'is', null)
      .execute();
    await announceSession(deps, uow, sessionId);
  });
  return signedIn(deps, { ...caller, confirmedAt });
}
