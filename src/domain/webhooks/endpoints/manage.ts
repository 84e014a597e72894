import { type Developer, ownerOf } from '../../../base/core/caller.ts';
import { refuse } from '../../../base/core/errors.ts';
import { forbid } from '../../../base/core/forbidden.ts';
import { newId } from '../../../base/core/ids.ts';
import { NEEDED_FOR_SCOPE, neededForKinds, neededForScopes } from '../../../base/core/roles.ts';
import { SCOPES } from '../../../base/core/scopes.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { type Repeatable, withSealedAnswer } from '../../../base/platform/idempotency.ts';
import { jsonb, query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { type AuditDeps, recordAudit, type WritingDeps } from '../../../base/records/audit/record.ts';
import { lockIssuerOf } from '../../access/keys/issued.ts';
import { lockIssuer, requireCovered } from '../../shop/merchants/issuer.ts';
import type { PreviousSecret, WebhookEndpoint } from './endpoint.entity.ts';
import type { EndpointChange, EndpointInput } from './endpoint.input.ts';
import { type EndpointRecord, endpointMissing, SHOWN } from './read.ts';
import { newSecret, sealSecret, stillValid } from './secrets.ts';
import { disableEndpoints, enableEndpoints } from './state.ts';

type ManageDeps = AuditDeps & Pick<Deps, 'db' | 'settings'>;

/** The most endpoints of a merchant. */
export const MAX_ENDPOINTS = 20;
/** The most replaced secrets that sign beside the current one. */
const MAX_PREVIOUS = 4;
const HOUR_MS = 3_600_000;

/** An endpoint with its new secret, which is shown only here. */
export interface WithSecret {
  readonly endpoint: EndpointRecord;
  readonly secret: string;
}

const LOCK_MERCHANT = query('webhook-endpoints-lock', (db, $: { merchant: Wallet }) =>
  db.selectFrom('Merchant').select('wallet').where('wallet', '=', $.merchant).forNoKeyUpdate(),
);
const COUNT = query(
  'webhook-endpoints-count',
  (db, $: { merchant: Wallet }) =>
    db
      .selectFrom('WebhookEndpoint')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('merchant', '=', $.merchant),
  { computed: { count: 'int8' } },
);

/**
 * Registers an endpoint, one per Idempotency-Key. It receives the events of its kinds from now on. Refuses with
 * `invalid_input` beyond 20 endpoints, and with `forbidden` if a kind exceeds the issuer's role or a key's scopes.
 *
 * @param by the member or the key that registers it; null: the operator
 */
export async function createEndpoint(
  deps: ManageDeps,
  merchant: Wallet,
  input: EndpointInput,
  by: Wallet | Developer | null = null,
  repeatable: Repeatable | null = null,
): Promise<WithSecret> {
  const key = typeof by === 'object' ? by : null;
  return withSealedAnswer(deps, { merchant, operation: 'createWebhookEndpoint' }, repeatable, async (uow) => {
    if (key) requireReadable(key, input.kinds);
    const { issuer, role } = await lockRights(uow, merchant, by);
    requireCovered(role, neededForKinds(input.kinds));
    return addEndpoint(deps, uow, input, { merchant, issuer, keyId: key && ownerOf(key) });
  });
}

/** Registers an endpoint whose kinds its issuer may read, within a unit of work. */
export async function addEndpoint(
  deps: AuditDeps & Pick<Deps, 'settings'>,
  uow: UnitOfWork,
  { url, kinds, description = '', enabled = true }: EndpointInput,
  { merchant, issuer, keyId }: Pick<WebhookEndpoint, 'merchant' | 'issuer' | 'keyId'>,
): Promise<WithSecret> {
  const now = deps.clock();
  const id = newId('we', now);
  const secret = newSecret();
  await uow.run(LOCK_MERCHANT, { merchant });
  const [known] = await uow.run(COUNT, { merchant });
  if (known!.count >= MAX_ENDPOINTS) {
    throw refuse('invalid_input', `There are ${MAX_ENDPOINTS} endpoints already: delete one first`, {
      reason: 'too_many',
      most: MAX_ENDPOINTS,
    });
  }
  const created = await uow.db
    .insertInto('WebhookEndpoint')
    .values({
      merchant,
      id,
      issuer,
      keyId,
      url,
      description,
      kinds,
      sealedSecret: sealSecret(deps.settings, id, secret),
      previousSecrets: jsonb([]),
      state: enabled ? 'enabled' : 'disabled',
      disabledReason: enabled ? null : 'by_admin',
      disabledAt: enabled ? null : now,
      enabledAt: now,
      failingSince: null,
      createdAt: now,
      updatedAt: now,
    })
    .returning(SHOWN)
    .executeTakeFirstOrThrow();
  await recordAudit(deps, uow, merchant, 'webhook.created', ['webhook', id], { after: auditedEndpoint(created) });
  return { endpoint: created, secret };
}

/** Whose rights an endpoint has. */
async function lockRights(uow: UnitOfWork, merchant: Wallet, by: Wallet | Developer | null) {
  if (by !== null && typeof by === 'object') return lockIssuerOf(uow, by);
  return { issuer: by, role: await lockIssuer(uow, merchant, by) };
}

/** Refuses kinds of events that the scopes of a key do not read, with `forbidden` (`scope_missing`). */
function requireReadable({ scopes }: Developer, kinds: readonly string[]): void {
  const held = neededForScopes([...scopes]);
  const missing = neededForKinds(kinds).find((permission) => !held.includes(permission));
  if (missing === undefined) return;
  const scope = SCOPES.find((one) => NEEDED_FOR_SCOPE[one] === missing);
  throw forbid('scope_missing', `Events of these kinds need the scope ${scope}`, { scope });
}

/** Whether a change decides what is sent, or where to. */
export const redirects = ({ url, kinds, enabled }: EndpointChange): boolean =>
  url !== undefined || kinds !== undefined || enabled === true;

/**
 * Changes an endpoint. Omitted fields keep their values. The member who gives it another address becomes its issuer.
 * Refuses with `not_found`, and with `forbidden` if the endpoint then receives what exceeds the role of `by`.
 *
 * @param by the member who changes it; null: the operator
 */
export async function updateEndpoint(
  deps: ManageDeps,
  merchant: Wallet,
  id: string,
  { enabled, ...change }: EndpointChange,
  by: Wallet | null = null,
): Promise<EndpointRecord> {
  const now = deps.clock();
  return deps.db.transaction(async (uow) => {
    const { db } = uow;
    const role = redirects({ enabled, ...change }) ? await lockIssuer(uow, merchant, by) : null;
    const before = await lockEndpoint(uow, merchant, id);
    requireCovered(role, neededForKinds(change.kinds ?? before.kinds));
    // Who gives it another address, or enables it after the end of its key, takes it over.
    const stays = (change.url ?? before.url) === before.url && !(enabled && before.disabledReason === 'key_ended');
    const owner = stays ? { issuer: before.issuer, keyId: before.keyId } : { issuer: by, keyId: null };
    await db
      .updateTable('WebhookEndpoint')
      .set({ ...change, ...owner, updatedAt: now })
      .where('merchant', '=', merchant)
      .where('id', '=', id)
      .execute();
    if (enabled !== undefined) {
      const moving = enabled ? enableEndpoints(db, now) : disableEndpoints(db, 'by_admin', now);
      await moving.where('merchant', '=', merchant).where('id', '=', id).execute();
    }
    const after = await lockEndpoint(uow, merchant, id);
    await recordAudit(deps, uow, merchant, 'webhook.changed', ['webhook', id], {
      before: auditedEndpoint(before),
      after: auditedEndpoint(after),
    });
    return after;
  });
}

/**
 * Deletes an endpoint. Deliveries that are still due to it fail. Refuses with `not_found`.
 *
 * @param keyId only one that this key registered; null: any
 */
export async function deleteEndpoint(
  deps: WritingDeps,
  merchant: Wallet,
  id: string,
  keyId: string | null = null,
): Promise<void> {
  await deps.db.transaction((uow) => removeEndpoint(deps, uow, merchant, id, keyId));
}

/** The same, within a unit of work. */
async function removeEndpoint(
  deps: AuditDeps,
  uow: UnitOfWork,
  merchant: Wallet,
  id: string,
  keyId: string | null = null,
): Promise<void> {
  const deleted = await uow.db
    .deleteFrom('WebhookEndpoint')
    .where('merchant', '=', merchant)
    .where('id', '=', id)
    .$if(keyId !== null, (own) => own.where('keyId', '=', keyId))
    .returning(SHOWN)
    .executeTakeFirst();
  if (!deleted) endpointMissing();
  await recordAudit(deps, uow, merchant, 'webhook.deleted', ['webhook', id], { before: auditedEndpoint(deleted) });
}

/**
 * Replaces an endpoint's secret, once per Idempotency-Key. The former one signs beside it for `overlapHours`; with 0
 * it ends at once, and so do all that were replaced before. Refuses with `not_found`, with `invalid_input` while
 * four replaced secrets sign, and with `forbidden` if a kind exceeds the role of `by`.
 */
export async function rotateSecret(
  deps: ManageDeps,
  merchant: Wallet,
  { id, overlapHours }: { readonly id: string; readonly overlapHours: number },
  by: Wallet | null = null,
  repeatable: Repeatable | null = null,
): Promise<WithSecret> {
  const now = deps.clock();
  const secret = newSecret();
  return withSealedAnswer(deps, { merchant, operation: 'rotateWebhookSecret' }, repeatable, async (uow) => {
    const role = await lockIssuer(uow, merchant, by);
    const current = await lockSecrets(uow, merchant, id);
    requireCovered(role, neededForKinds(current.kinds));
    const previous =
      overlapHours === 0
        ? []
        : [
            { sealed: current.sealedSecret, until: now + overlapHours * HOUR_MS },
            ...stillValid(current.previousSecrets, now),
          ];
    if (previous.length > MAX_PREVIOUS) {
      throw refuse('invalid_input', `${MAX_PREVIOUS} replaced secrets are still valid: end them with overlapHours 0`, {
        field: 'overlapHours',
        reason: 'too_many',
        most: MAX_PREVIOUS,
      });
    }
    const rotated = await uow.db
      .updateTable('WebhookEndpoint')
      .set({
        sealedSecret: sealSecret(deps.settings, id, secret),
        previousSecrets: jsonb(previous),
        updatedAt: now,
      })
      .where('merchant', '=', merchant)
      .where('id', '=', id)
      .returning(SHOWN)
      .executeTakeFirstOrThrow();
    await recordAudit(deps, uow, merchant, 'webhook.secret_rotated', ['webhook', id], { after: { overlapHours } });
    return { endpoint: rotated, secret };
  });
}

/** What the audit log records of an endpoint. */
const auditedEndpoint = ({ url, description, kinds, state }: EndpointRecord) => ({ url, description, kinds, state });

async function lockEndpoint({ db }: UnitOfWork, merchant: Wallet, id: string): Promise<EndpointRecord> {
  const row = await db
    .selectFrom('WebhookEndpoint')
    .select(SHOWN)
    .where('merchant', '=', merchant)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? endpointMissing();
}

interface Secrets {
  readonly kinds: readonly string[];
  readonly sealedSecret: string;
  readonly previousSecrets: readonly PreviousSecret[];
}

async function lockSecrets({ db }: UnitOfWork, merchant: Wallet, id: string): Promise<Secrets> {
  const row = await db
    .selectFrom('WebhookEndpoint')
    .select(['kinds', 'sealedSecret', 'previousSecrets'])
    .where('merchant', '=', merchant)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? endpointMissing();
}

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
export const endpointsIssuedBy = (db: Db, issuer: Issuer): Promise<EndpointRecord[]> => db.run(ISSUED, issuer);

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
