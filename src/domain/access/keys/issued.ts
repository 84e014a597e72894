import type { Developer } from '../../../base/core/caller.ts';
import { refuse } from '../../../base/core/errors.ts';
import type { MemberRole } from '../../../base/core/roles.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { recordAudit, type WritingDeps } from '../../../base/records/audit/record.ts';
import { lockIssuer } from '../../shop/merchants/issuer.ts';
import { type ApiKey, KEY_COLUMNS } from './api-key.entity.ts';
import { endKey } from './change-keys.ts';
import { COLUMNS, type ListedKey } from './list.ts';

interface Issuer {
  readonly merchant: Wallet;
  readonly issuer: Wallet;
}

const ISSUED = query('keys-of-issuer', (db, $: Issuer & { now: number }) =>
  db
    .selectFrom('ApiKey')
    .select(COLUMNS)
    .where('merchant', '=', $.merchant)
    .where('issuer', '=', $.issuer)
    .where('revokedAt', 'is', null)
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', $.now)]))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc'),
);

/** The keys that a member issued and that still work, the newest first. */
export const keysIssuedBy = (db: Db, now: number, issuer: Issuer): Promise<ListedKey[]> =>
  db.run(ISSUED, { ...issuer, now });

/** The same, locked until the unit of work ends. */
export const lockKeysIssuedBy = ({ db }: UnitOfWork, { merchant, issuer }: Issuer, now: number): Promise<ApiKey[]> =>
  db
    .selectFrom('ApiKey')
    .select(KEY_COLUMNS)
    .where((eb) => eb.and({ merchant, issuer }))
    .where('revokedAt', 'is', null)
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now)]))
    .orderBy('id')
    .forUpdate()
    .execute();

/** Gives a locked key to another issuer, or revokes it without one. */
export async function handOverKey(deps: WritingDeps, uow: UnitOfWork, key: ApiKey, to: Wallet | null): Promise<void> {
  const { id, merchant, issuer } = key;
  if (to === null) {
    const revokedAt = await endKey(deps.db, deps.clock(), uow, key);
    await recordAudit(deps, uow, merchant, 'key.revoked', ['key', id], {
      before: { revokedAt: null },
      after: { revokedAt },
    });
    return;
  }
  await uow.db.updateTable('ApiKey').set({ issuer: to }).where('id', '=', id).execute();
  await recordAudit(deps, uow, merchant, 'key.changed', ['key', id], { before: { issuer }, after: { issuer: to } });
}

/**
 * The member whose rights a key in use has, and that member's role: both null for the operator. The key is locked until
 * the unit of work ends, so that nothing is made in the name of a key that ends at the same time. Refuses with
 * `unauthorized` a key that was revoked.
 */
export async function lockIssuerOf(
  uow: UnitOfWork,
  { merchant, keyId: id }: Pick<Developer, 'merchant' | 'keyId'>,
): Promise<{ readonly issuer: Wallet | null; readonly role: MemberRole | null }> {
  const key = uow.db
    .selectFrom('ApiKey')
    .select('issuer')
    .where((eb) => eb.and({ merchant, id }))
    .where('revokedAt', 'is', null);
  const found = await key.executeTakeFirst();
  if (!found) throw refuse('unauthorized');
  // The members are locked first, as wherever something is issued; a key changes hands only under this lock.
  await lockIssuer(uow, merchant, found.issuer);
  const locked = await key.forShare().executeTakeFirst();
  if (!locked) throw refuse('unauthorized');
  return { issuer: locked.issuer, role: await lockIssuer(uow, merchant, locked.issuer) };
}
