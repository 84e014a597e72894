import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { type AuditDeps, recordAudit } from '../../../base/records/audit/record.ts';
import { removeEndpoint } from './manage.ts';
import { type EndpointRecord, SHOWN } from './read-endpoints.ts';

interface Issuer {
  readonly merchant: Wallet;
  readonly issuer: Wallet;
}

const ISSUED = query('webhook-endpoints-of-issuer', (db, $: Issuer) =>
  db
    .selectFrom('WebhookEndpoint')
    .select(SHOWN)
    .where('merchant', '=', $.merchant)
    .where('issuer', '=', $.issuer)
    .orderBy('createdAt')
    .orderBy('id'),
);

/** The endpoints whose address a member chose, the oldest first. */
export const endpointsIssuedBy = ({ sql }: Pick<Deps, 'sql'>, issuer: Issuer): Promise<EndpointRecord[]> =>
  sql.run(ISSUED, issuer);

/** The same, locked until the unit of work ends. */
export const lockEndpointsIssuedBy = ({ db }: UnitOfWork, { merchant, issuer }: Issuer): Promise<EndpointRecord[]> =>
  db
    .selectFrom('WebhookEndpoint')
    .select(SHOWN)
    .where('merchant', '=', merchant)
    .where('issuer', '=', issuer)
    .orderBy('id')
    .forUpdate()
    .execute();

/** Gives a locked endpoint to another issuer, or deletes it without one. */
export async function handOverEndpoint(
  deps: AuditDeps,
  uow: UnitOfWork,
  merchant: Wallet,
  { id, issuer }: EndpointRecord,
  to: Wallet | null,
): Promise<void> {
  if (to === null) return removeEndpoint(deps, uow, merchant, id);
  await uow.db
    .updateTable('WebhookEndpoint')
    .set({ issuer: to, updatedAt: deps.clock() })
    .where('merchant', '=', merchant)
    .where('id', '=', id)
    .execute();
  await recordAudit(deps, uow, merchant, 'webhook.changed', ['webhook', id], {
    before: { issuer },
    after: { issuer: to },
  });
}
