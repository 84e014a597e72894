import { z } from 'zod';
import type { Session } from '../../../base/core/caller.ts';
import { refuse } from '../../../base/core/errors.ts';
import { identifier, label } from '../../../base/core/text.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { notify } from '../../../base/platform/pg-notifications.ts';
import { inTransaction } from '../../../base/platform/unit-of-work.ts';
import type { AuditDeps } from '../../../base/records/audit/record.ts';
import { forgetSessions, SESSIONS_CHANNEL } from '../../access/gateway/session.ts';
import type { MerchantRecord } from '../../shop/merchants/find.ts';
import { useInvite } from '../../shop/merchants/invite.ts';
import { requireSignupWithinDay } from '../../shop/merchants/newcomer.ts';
import { addMerchant } from '../../shop/merchants/register.ts';

/** A registration by the wallet itself. */
export const joinInput = z.object({
  name: label,
  code: identifier.nullish().transform((code) => code ?? null),
});

/**
 * Registers a merchant under the signed-in wallet, and lets its session act for it at once. With `SIGNUP=invite` a code
 * of the operator is used up; with `SIGNUP=open` the merchant is a newcomer until the operator admits it.
 *
 * Refuses with `signup_closed`, with `signup_limit_reached` if `SIGNUPS_PER_DAY` is used up, and with `invalid_input`
 * if the wallet is registered already (`wallet`), or if the code is missing, unknown, used or expired (`code`). A
 * refused request does not use the code up.
 */
export async function joinAsMerchant(
  deps: AuditDeps & Pick<Deps, 'orm' | 'sql' | 'settings'>,
  { sessionId, wallet }: Pick<Session, 'sessionId' | 'wallet'>,
  { name, code }: z.output<typeof joinInput>,
): Promise<MerchantRecord> {
  const { signup, signupsPerDay, brandKey } = deps.settings;
  if (signup === 'closed') throw refuse('signup_closed');
  if (signup === 'invite' && code === null)
    throw refuse('invalid_input', 'code is required: ask the operator for an invitation', { field: 'code' });
  return inTransaction(deps, async (uow) => {
    if (signup === 'invite') await useInvite(uow, code as string, wallet, deps.clock());
    const newcomer = signup === 'open';
    if (newcomer) await requireSignupWithinDay(uow, signupsPerDay, deps.clock());
    const merchant = await addMerchant(deps, uow, { wallet, name, brandKey, newcomer });
    await notify(uow, SESSIONS_CHANNEL, sessionId);
    // This process must not wait for its own notification.
    uow.afterCommit(() => forgetSessions(deps)(sessionId));
    return merchant;
  });
}
