import { timingSafeEqual } from 'node:crypto';
import type { Developer } from '../core/caller.ts';
import { refuse } from '../core/errors.ts';
import { keyExpired } from '../core/forbidden.ts';
import { weakMemo } from '../core/weak-memo.ts';
import type { Deps } from '../platform/deps.ts';
import { lastUsesOf } from '../platform/last-uses.ts';
import type { ChangeHandler } from '../platform/postgres/pg-notifications.ts';
import { createProofCache } from '../platform/proof-cache.ts';
import { type KeyColumns, keyedQuery } from '../platform/query.ts';
import { sha256 } from '../platform/secrets.ts';
import type { Sql } from '../platform/sql.ts';
import { type CheckUse, checkOf, type KeyUse } from './key-limits.ts';

/** The channel that publishes the digests of revoked keys. */
export const KEYS_CHANNEL = 'keys_revoked';

/** The form of keys made by `issueKey`; anything else is refused without a lookup. */
const FORM = /^qk_[A-Za-z0-9_-]{43}$/;

const REMEMBERED = 10_000;
/** The cache lifetime of a key. A revoked key ends after this even if the notification is lost. */
const FRESH_MS = 5_000;
/** The cache lifetime while the database is unavailable; no key can be revoked then. */
const OFFLINE_MS = 3_600_000;

/** When the keys of a database were last used. */
export const keyUses = lastUsesOf('keys-used', 'ApiKey');

type Digest = KeyColumns<{ digest: string }>;

const BY_DIGEST = keyedQuery('key-by-digest', ['digest'], (db, key: Digest) =>
  db
    .selectFrom('ApiKey as a')
    .select(['a.id', 'a.merchant', 'a.scopes', 'a.digest', 'a.unlimited', 'a.limits', 'a.trustedOnly'])
    .select(['a.expiresAt', 'a.origins', 'a.addresses'])
    .where('a.digest', '=', key.digest)
    .where('a.revokedAt', 'is', null),
);

/** A key as it is remembered. */
interface KnownKey {
  readonly developer: Developer;
  readonly expiresAt: number | null;
  /** Null without limits. */
  readonly checkUse: CheckUse | null;
}

/** One cache per database connection pool. */
const cacheOf = weakMemo((sql: Sql) =>
  createProofCache((digest) => loadKey(sql, digest), { max: REMEMBERED, freshMs: FRESH_MS, keptMs: OFFLINE_MS }),
);

/**
 * The developer that a key belongs to; no statement while it is cached. Refuses with `unauthorized` if the key does not
 * exist, is revoked or has expired, with `forbidden` if it is used from an address or origin that its limits exclude,
 * and with `datastore_unavailable` if the database is unavailable and the key is not cached.
 */
export async function findKey(
  { sql, clock }: Pick<Deps, 'sql' | 'clock'>,
  key: string,
  use: KeyUse,
): Promise<Developer> {
  if (!FORM.test(key)) throw refuse('unauthorized');
  const found = cacheOf(sql).get(sha256(key));
  const known = found instanceof Promise ? await found : found;
  if (!known) throw refuse('unauthorized');
  const now = clock();
  if (known.expiresAt !== null && known.expiresAt <= now) throw keyExpired();
  known.checkUse?.(use);
  keyUses(sql).note(known.developer.keyId, now);
  return known.developer;
}

/** Creates the handler of revocation notifications. */
export function forgetKeys(deps: Pick<Deps, 'sql'>): ChangeHandler {
  return (digest) => cacheOf(deps.sql).forget(digest);
}

/** Keys looked up at the same time share one statement, so that many unknown keys cost little. */
async function loadKey(sql: Sql, digest: string): Promise<KnownKey | null> {
  const row = await sql.one(BY_DIGEST, { digest });
  if (!row || !timingSafeEqual(Buffer.from(row.digest, 'hex'), Buffer.from(digest, 'hex'))) return null;
  const developer = Object.freeze({
    kind: 'developer',
    merchant: row.merchant,
    keyId: row.id,
    scopes: new Set(row.scopes),
    unlimited: row.unlimited,
    limits: row.limits,
    ...(row.trustedOnly ? { trustedOnly: true as const } : {}),
  } as const);
  return { developer, expiresAt: row.expiresAt, checkUse: checkOf(row.origins, row.addresses) };
}
