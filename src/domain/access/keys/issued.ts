import { LockMode } from '@mikro-orm/core';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { type AuditDeps, recordAudit } from '../../../base/records/audit/record.ts';
import { ApiKey } from './api-key.entity.ts';
import { COLUMNS, type ListedKey } from './list.ts';
import { endKey } from './revoke.ts';

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
export const keysIssuedBy = ({ sql, clock }: Pick<Deps, 'sql' | 'clock'>, issuer: Issuer): Promise<ListedKey[]> =>
  sql.run(ISSUED, { ...issuer, now: clock() });

/** The same, locked until the unit of work ends. */
export const lockKeysIssuedBy = ({ em }: UnitOfWork, { merchant, issuer }: Issuer, now: number): Promise<ApiKey[]> =>
  em.find(
    ApiKey,
    { merchant, issuer, revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } },
  );

/** Gives a locked key to another issuer, or revokes it without one. */
export async function handOverKey(
  deps: AuditDeps & Pick<Deps, 'sql'>,
  uow: UnitOfWork,
  key: ApiKey,
  to: Wallet | null,
): Promise<void> {
  const { id, merchant, issuer } = key;
  if (to === null) {
    const revokedAt = await endKey(deps, uow, key);
    await recordAudit(deps, uow, {
      ...{ merchant, action: 'key.revoked', object: ['key', id] },
      ...{ before: { revokedAt: null }, after: { revokedAt } },
    });
    return;
  }
  key.issuer = to;
  await uow.em.flush();
  await recordAudit(deps, uow, {
    ...{ merchant, action: 'key.changed', object: ['key', id] },
    ...{ before: { issuer }, after: { issuer: to } },
  });
}
