import { z } from 'zod';
import { clearable, parseInput } from '../../../base/core/input.ts';
import { neededForScopes } from '../../../base/core/roles.ts';
import { label } from '../../../base/core/text.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { inTransaction } from '../../../base/platform/unit-of-work.ts';
import { type AuditDeps, recordAudit } from '../../../base/records/audit/record.ts';
import { lockIssuer, requireCovered } from '../../shop/merchants/issuer.ts';
import { auditedKey } from './issue.ts';
import { addressesInput, originsInput } from './key-limits.ts';
import { changeKey, type KeyChoice, lockKey, requireUnended } from './revoke.ts';

/** The properties of a key to change. Omitted ones stay; null clears one. */
export interface KeyChange {
  readonly label?: string | null;
  readonly origins?: readonly string[] | null;
  readonly addresses?: readonly string[] | null;
}

const changeSchema = z.object({
  label: clearable(label),
  origins: clearable(originsInput),
  addresses: clearable(addressesInput),
});

/**
 * Changes the label and the limits of a key. The limits count from the next request or connection on, in every process.
 * Errors: `not_found`, `invalid_input` (also for a key that has ended).
 *
 * Refused with `forbidden` if a scope of the key exceeds the role of the member who changes its limits.
 *
 * @param by the member who changes it
 */
export async function updateKey(
  deps: AuditDeps & Pick<Deps, 'orm' | 'sql'>,
  choice: Required<KeyChoice>,
  given: KeyChange,
  by: Wallet,
): Promise<void> {
  const change = parseInput(changeSchema, given);
  await inTransaction(deps, async (uow) => {
    const limits = change.origins !== undefined || change.addresses !== undefined;
    const role = limits ? await lockIssuer(uow, choice.merchant, by) : null;
    const key = await lockKey(uow, choice);
    requireCovered(role, neededForScopes(key.scopes));
    requireUnended(key, deps.clock());
    const before = auditedKey(key);
    const changed = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    await changeKey(deps, uow, key, changed);
    await recordAudit(deps, uow, key.merchant, 'key.changed', ['key', key.id], {
      before,
      after: auditedKey({ ...key, ...changed }),
    });
  });
}
