import { timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Developer } from '../../../base/core/caller.ts';
import { refuse } from '../../../base/core/errors.ts';
import { keyExpired } from '../../../base/core/forbidden.ts';
import { keptBy } from '../../../base/core/kept.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { lastUsesOf } from '../../../base/platform/last-uses.ts';
import type { ChangeHandler } from '../../../base/platform/pg-notifications.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';
import { type KeyColumns, keyedQuery, query, type RowOf } from '../../../base/platform/postgres/query.ts';
import { createProofCache } from '../../../base/platform/proof-cache.ts';
import { sha256 } from '../../../base/platform/secrets.ts';
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
export const keyUses = lastUsesOf('uses of API keys', 'keys-used', 'ApiKey');

type Digest = KeyColumns<{ digest: string }>;

const valid = (db: Kysely<Database>) =>
  db
    .selectFrom('ApiKey as a')
    .innerJoin('Merchant as m', 'm.wallet', 'a.merchant')
    .select('m.newcomer')
    .select(['a.id', 'a.merchant', 'a.scopes', 'a.digest', 'a.unlimited', 'a.limits', 'a.trustedOnly'])
    .select(['a.expiresAt', 'a.origins', 'a.addresses', 'a.firstId'])
    .where('a.revokedAt', 'is', null);

const BY_DIGEST = keyedQuery('key-by-digest', ['digest'], (db, key: Digest) =>
  valid(db).where('a.digest', '=', key.digest),
);

/** Keys without a use count as used when they were issued. */
const LATEST = query(
  'keys-by-use',
  (db, $: { limit: number }) =>
    valid(db)
      .orderBy(({ fn, ref }) => fn.coalesce(ref('a.lastUsedAt'), ref('a.createdAt')), 'desc')
      .limit($.limit),
  { slow: true },
);

/** A key as it is remembered. */
interface KnownKey {
  readonly developer: Developer;
  readonly expiresAt: number | null;
  /** Null without limits. */
  readonly checkUse: CheckUse | null;
}

/** One cache per database connection pool. */
const cacheOf = keptBy('API keys', (db: Db) =>
  createProofCache((digest) => loadKey(db, digest), { max: REMEMBERED, freshMs: FRESH_MS, keptMs: OFFLINE_MS }),
);

/**
 * The developer that a key belongs to; no statement while it is cached. Refuses with `unauthorized` if the key does not
 * exist, is revoked or has expired, with `forbidden` if it is used from an address or origin that its limits exclude,
 * and with `datastore_unavailable` if the database is unavailable and the key is not cached.
 */
export async function findKey(db: Db, now: number, key: string, use: KeyUse): Promise<Developer> {
  if (!FORM.test(key)) throw refuse('unauthorized');
  const found = cacheOf(db).get(sha256(key));
  const known = found instanceof Promise ? await found : found;
  if (!known) throw refuse('unauthorized');
  if (known.expiresAt !== null && known.expiresAt <= now) throw keyExpired();
  known.checkUse?.(use);
  keyUses(db).note(known.developer.keyId, now);
  return known.developer;
}

/**
 * Keeps the keys that were used last, so that they are valid if the database goes away before their next use. Returns
 * their merchants, the one of the latest use first.
 */
export async function keepKeys(db: Db, limit: number): Promise<readonly Wallet[]> {
  const merchants = new Set<Wallet>();
  await cacheOf(db).keep(async () => {
    const rows = await db.run(LATEST, { limit });
    for (const { merchant } of rows) merchants.add(merchant);
    return rows.map((row) => [row.digest, knownKey(row)] as const);
  });
  return [...merchants];
}

/** Creates the handler of revocation notifications. */
export function forgetKeys(db: Db): ChangeHandler {
  return (digest) => cacheOf(db).forget(digest);
}

/** Keys looked up at the same time share one statement, so that many unknown keys cost little. */
async function loadKey(db: Db, digest: string): Promise<KnownKey | null> {
  const row = await db.one(BY_DIGEST, { digest });
  if (!row || !timingSafeEqual(Buffer.from(row.digest, 'hex'), Buffer.from(digest, 'hex'))) return null;
  return knownKey(row);
}

function knownKey(row: RowOf<typeof LATEST>): KnownKey {
  const developer = Object.freeze({
    kind: 'developer',
    merchant: row.merchant,
    keyId: row.id,
    scopes: new Set(row.scopes),
    unlimited: row.unlimited,
    limits: row.limits,
    ...(row.firstId === null ? {} : { firstKeyId: row.firstId }),
    ...(row.newcomer ? { newcomer: true as const } : {}),
    ...(row.trustedOnly ? { trustedOnly: true as const } : {}),
  } as const);
  return { developer, expiresAt: row.expiresAt, checkUse: checkOf(row.origins, row.addresses) };
}
