import { timingSafeEqual } from 'node:crypto';
import type { Developer } from '../core/caller.ts';
import { refuse } from '../core/errors.ts';
import type { Scope } from '../core/scopes.ts';
import type { Wallet } from '../core/wallet.ts';
import { weakMemo } from '../core/weak-memo.ts';
import type { Deps } from '../platform/deps.ts';
import type { ChangeHandler } from '../platform/pg-notifications.ts';
import { createProofCache } from '../platform/proof-cache.ts';
import { sha256 } from '../platform/secrets.ts';
import { type Sql, statement } from '../platform/sql.ts';

/** The channel on which a revoked key's digest is announced. */
export const KEYS_CHANNEL = 'keys_revoked';

/** A key as `issueKey` makes it; anything else is refused without a look. */
const FORM = /^qk_[A-Za-z0-9_-]{43}$/;

const REMEMBERED = 10_000;
/** Where an announcement is lost, a revoked key ends after this. */
const FRESH_MS = 5_000;
/** While the database is away nobody can revoke there either: keys that were known go on for this long. */
const KEPT_MS = 3_600_000;

const selectKey = statement(
  'key_by_digest',
  `select k.n, a.id, a.merchant, a.scopes, a.digest, a.unlimited, a.limits
     from unnest($1::text[]) with ordinality as k(digest, n)
     join api_keys a on a.digest = k.digest and a.revoked_at is null`,
);

interface KeyRow {
  readonly id: string;
  readonly merchant: Wallet;
  readonly scopes: Scope[];
  readonly digest: string;
  readonly unlimited: boolean;
  readonly limits: Record<string, number> | null;
}

/** One memory for all who share a database connection. */
const memoryOf = weakMemo((sql: Sql) =>
  createProofCache((digest) => loadKey(sql, digest), { max: REMEMBERED, freshMs: FRESH_MS, keptMs: KEPT_MS }),
);

/**
 * The developer behind a presented key; no statement while it is remembered. Refuses with `unauthorized` where there is no such key or it is revoked,
 * and with `datastore_unavailable` where the database is away and the key is not remembered.
 */
export async function findKey(deps: Pick<Deps, 'sql'>, key: string): Promise<Developer> {
  if (!FORM.test(key)) throw refuse('unauthorized');
  const found = memoryOf(deps.sql).get(sha256(key));
  const developer = found instanceof Promise ? await found : found;
  if (!developer) throw refuse('unauthorized');
  return developer;
}

/** What this process does when it hears of revoked keys. */
export function forgetKeys(deps: Pick<Deps, 'sql'>): ChangeHandler {
  return (digest) => memoryOf(deps.sql).forget(digest);
}

/** Keys that are looked up at the same time share one statement, so that many unknown ones cost little. */
async function loadKey(sql: Sql, digest: string): Promise<Developer | null> {
  const row = await sql.row<KeyRow>(selectKey, [digest]);
  if (!row || !timingSafeEqual(Buffer.from(row.digest, 'hex'), Buffer.from(digest, 'hex'))) return null;
  return Object.freeze({
    kind: 'developer',
    merchant: row.merchant,
    keyId: row.id,
    scopes: new Set(row.scopes),
    unlimited: row.unlimited,
    limits: row.limits,
  } as const);
}
