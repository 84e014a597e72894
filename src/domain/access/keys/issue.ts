import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { refuse } from '../../../base/core/errors.ts';
import { newId } from '../../../base/core/ids.ts';
import { optional, parseInput } from '../../../base/core/input.ts';
import { neededForScopes } from '../../../base/core/roles.ts';
import { SCOPES, type Scope } from '../../../base/core/scopes.ts';
import { label } from '../../../base/core/text.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { DEFAULT_RATE_LIMITS, type RateCategory } from '../../../base/platform/config/rate-limits.ts';
import type { ClockAndSettings, Deps } from '../../../base/platform/deps.ts';
import { type Repeatable, withSealedAnswer } from '../../../base/platform/idempotency.ts';
import { seal, sha256 } from '../../../base/platform/secrets.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { type AuditDeps, recordAudit } from '../../../base/records/audit/record.ts';
import { isRegistered, merchantNotFound } from '../../shop/merchants/find.ts';
import { lockIssuer, requireCovered } from '../../shop/merchants/issuer.ts';
import type { ApiKey } from './api-key.entity.ts';
import { addressesInput, originsInput } from './key-limits.ts';

/** The properties of a new key. */
export interface KeyRequest {
  readonly merchant: Wallet;
  readonly scopes: readonly string[];
  /** The member who issues it; it may be no more than the member may read. By default the operator does. */
  readonly issuer?: Wallet | null;
  readonly label?: string | null;
  /** Exempt from rate limits. */
  readonly unlimited?: boolean;
  /** Rate limits of this key only, per category and rolling minute. Other categories use the merchant's limits. */
  readonly limits?: Readonly<Partial<Record<string, number>>> | null;
  /** Over GraphQL the key runs only documents of `TRUSTED_DOCUMENTS`. REST routes are limited by its scopes alone. */
  readonly trustedOnly?: boolean | null;
  /** When it stops working by itself, epoch milliseconds. */
  readonly expiresAt?: number | null;
  /** The origins from which browsers may use it. */
  readonly origins?: readonly string[] | null;
  /** The addresses and networks from which it may be used. */
  readonly addresses?: readonly string[] | null;
}

/** A new key. The plain key is returned only here. */
export interface IssuedKey {
  readonly id: string;
  readonly key: string;
  readonly scopes: readonly Scope[];
}

const CATEGORIES = Object.keys(DEFAULT_RATE_LIMITS) as RateCategory[];

const requestSchema = z.object({
  scopes: z
    .array(z.enum(SCOPES))
    .min(1, { error: `must name at least one of ${SCOPES.join(', ')}` })
    .transform((scopes) => [...new Set(scopes)]),
  label: optional(label),
  unlimited: optional(z.boolean()),
  trustedOnly: optional(z.boolean()),
  expiresAt: optional(z.int({ error: 'must be a time in epoch milliseconds' })),
  origins: optional(originsInput),
  addresses: optional(addressesInput),
  limits: optional(
    z.partialRecord(
      z.enum(CATEGORIES),
      z.int().min(1, { error: 'must be a whole number of at least 1' }).max(10_000_000, { error: 'is too large' }),
      { error: `must be an object with the keys ${CATEGORIES.join(', ')}` },
    ),
  ),
});

/** What a merchant chooses of a new key; the operator chooses the rest. */
export const keyInput = requestSchema.omit({ unlimited: true, limits: true });

/**
 * Creates a key for a registered merchant, one per Idempotency-Key. Only its digest and encrypted copies are stored.
 *
 * Errors: `invalid_input` (unknown or no scopes, limits of an unknown category, a time that is over), `not_found` (no
 * such merchant), `forbidden` (the issuer's role does not cover a scope).
 *
 * @example
 * const { key } = await issueKey(deps, { merchant, scopes: ['orders:create', 'receipts:read'] });
 */
export async function issueKey(
  deps: AuditDeps & Pick<Deps, 'db' | 'settings'>,
  request: KeyRequest,
  repeatable: Repeatable | null = null,
): Promise<IssuedKey> {
  const { merchant } = request;
  const properties = readRequest(request, deps.clock());
  return withSealedAnswer(deps, { merchant, operation: 'issueKey' }, repeatable, (uow) =>
    makeKey(deps, uow, properties),
  );
}

/** The same within a unit of work. */
export const issueKeyWithin = (
  deps: AuditDeps & Pick<Deps, 'settings'>,
  uow: UnitOfWork,
  request: KeyRequest,
): Promise<IssuedKey> => makeKey(deps, uow, readRequest(request, deps.clock()));

function readRequest(request: KeyRequest, now: number): NewKey {
  const { scopes, label, unlimited, trustedOnly, limits, ...rest } = parseInput(requestSchema, request);
  const { expiresAt = null, origins = null, addresses = null } = rest;
  if (expiresAt !== null && expiresAt <= now)
    throw refuse('invalid_input', 'expiresAt must be in the future', { field: 'expiresAt', reason: 'past' });
  return {
    merchant: request.merchant,
    issuer: request.issuer ?? null,
    scopes,
    label: label ?? null,
    unlimited: unlimited ?? false,
    trustedOnly: trustedOnly ?? false,
    limits: (limits as Record<string, number> | undefined) ?? null,
    ...{ expiresAt, origins, addresses },
  };
}

async function makeKey(
  deps: AuditDeps & Pick<Deps, 'settings'>,
  uow: UnitOfWork,
  properties: NewKey,
): Promise<IssuedKey> {
  const { merchant, issuer, scopes } = properties;
  requireCovered(await lockIssuer(uow, merchant, issuer), neededForScopes(scopes));
  if (!(await isRegistered(uow, merchant))) throw merchantNotFound();
  const issued = await addKey(deps, uow, properties);
  await recordAudit(deps, uow, merchant, 'key.issued', ['key', issued.id], { after: auditedKey(properties) });
  return issued;
}

/** What a key is made with. */
type NewKey = Pick<ApiKey, 'merchant' | 'issuer' | 'scopes' | 'label' | 'unlimited' | 'trustedOnly' | 'limits'> &
  Pick<ApiKey, 'expiresAt' | 'origins' | 'addresses'> &
  Partial<Pick<ApiKey, 'firstId'>>;

/** What the audit log records of a key. */
export const auditedKey = ({
  scopes,
  label,
  unlimited,
  trustedOnly,
  limits,
  ...rest
}: Omit<NewKey, 'merchant' | 'issuer' | 'firstId'>) => {
  const { expiresAt, origins, addresses } = rest;
  return { scopes, label, unlimited, trustedOnly, limits, expiresAt, origins, addresses };
};

/** Inserts a new key with the given properties within a unit of work. */
export async function addKey(deps: ClockAndSettings, uow: UnitOfWork, properties: NewKey): Promise<IssuedKey> {
  const now = deps.clock();
  const id = newId('key', now);
  const key = `qk_${randomBytes(32).toString('base64url')}`;
  await uow.db
    .insertInto('ApiKey')
    .values({
      ...properties,
      id,
      digest: sha256(key),
      sealed: seal(deps.settings, id, key),
      createdAt: now,
    })
    .execute();
  return { id, key, scopes: properties.scopes };
}
