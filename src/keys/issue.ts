import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { newId } from '../core/ids.ts';
import { optional, parseInput } from '../core/input.ts';
import { SCOPES, type Scope } from '../core/scopes.ts';
import { label } from '../core/text.ts';
import type { Wallet } from '../core/wallet.ts';
import { isRegistered, merchantNotFound } from '../merchants/find.ts';
import { DEFAULT_RATE_LIMITS, type RateCategory } from '../platform/config-variables.ts';
import type { Deps } from '../platform/deps.ts';
import { encrypt, sha256 } from '../platform/secrets.ts';
import { inTransaction, type UnitOfWork } from '../platform/unit-of-work.ts';
import { ApiKey } from './api-key.entity.ts';

/** The properties of a new key. */
export interface KeyRequest {
  readonly merchant: Wallet;
  readonly scopes: readonly string[];
  readonly label?: string | null;
  /** Exempt from rate limits. */
  readonly unlimited?: boolean;
  /** Rate limits of this key only, per category and rolling minute. Other categories use the merchant's limits. */
  readonly limits?: Readonly<Partial<Record<string, number>>> | null;
  /** Over GraphQL the key runs only documents of `TRUSTED_DOCUMENTS`. REST routes are limited by its scopes alone. */
  readonly trustedOnly?: boolean;
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
  limits: optional(
    z.partialRecord(
      z.enum(CATEGORIES),
      z.int().min(1, { error: 'must be a whole number of at least 1' }).max(10_000_000, { error: 'is too large' }),
      { error: `must be an object with the keys ${CATEGORIES.join(', ')}` },
    ),
  ),
});

/**
 * Creates a key for a registered merchant. Only its digest and an encrypted copy are stored.
 *
 * Errors: `invalid_input` (unknown or no scopes, limits of an unknown category), `not_found` (no such merchant).
 *
 * @example
 * const { key } = await issueKey(deps, { merchant, scopes: ['orders:create', 'receipts:read'] });
 */
export async function issueKey(
  deps: Pick<Deps, 'orm' | 'clock' | 'settings'>,
  request: KeyRequest,
): Promise<IssuedKey> {
  const { scopes, label, unlimited, trustedOnly, limits } = parseInput(requestSchema, request);
  const { merchant } = request;
  return inTransaction(deps, async (uow) => {
    if (!(await isRegistered(uow, merchant))) throw merchantNotFound();
    return addKey(deps, uow, {
      merchant,
      scopes,
      label: label ?? null,
      unlimited: unlimited ?? false,
      trustedOnly: trustedOnly ?? false,
      limits: (limits as Record<string, number> | undefined) ?? null,
    });
  });
}

/** Inserts a new key with the given properties within a unit of work. */
export async function addKey(
  deps: Pick<Deps, 'clock' | 'settings'>,
  uow: UnitOfWork,
  properties: Pick<ApiKey, 'merchant' | 'scopes' | 'label' | 'unlimited' | 'trustedOnly' | 'limits'>,
): Promise<IssuedKey> {
  const now = deps.clock();
  const id = newId('key', now);
  const key = `qk_${randomBytes(32).toString('base64url')}`;
  uow.em.create(ApiKey, {
    ...properties,
    id,
    digest: sha256(key),
    sealed: encrypt(deps.settings.keyEncryptionKey, id, key),
    createdAt: now,
    revokedAt: null,
  });
  await uow.em.flush();
  return { id, key, scopes: properties.scopes };
}
