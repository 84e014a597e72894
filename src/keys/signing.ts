import { boundedCache } from '../core/bounded-cache.ts';
import { refuse } from '../core/errors.ts';
import { weakMemo } from '../core/weak-memo.ts';
import type { Deps } from '../platform/deps.ts';
import { query } from '../platform/query.ts';
import { decrypt } from '../platform/secrets.ts';
import type { Sql } from '../platform/sql.ts';

const SEALED = query('key-sealed', (db, $: { id: string }) =>
  db.selectFrom('ApiKey').select('sealed').where('id', '=', $.id),
);

const OPENED = 1_000;
const openedBy = weakMemo((_sql: Sql) => boundedCache<string, string>({ max: OPENED }));

/**
 * The plain key that signs a receipt's webhooks, even after its revocation. A key never changes, so the decrypted key
 * is cached in memory.
 *
 * Errors: `not_found`, `datastore_unavailable`. Throws if `KEY_ENCRYPTION_KEY` is not the one that encrypted it.
 */
export async function signingKey(deps: Pick<Deps, 'sql' | 'settings'>, keyId: string): Promise<string> {
  const opened = openedBy(deps.sql);
  const known = opened.get(keyId);
  if (known) return known;
  const [row] = await deps.sql.run(SEALED, { id: keyId });
  if (!row) throw refuse('not_found', 'No such key');
  const key = decrypt(deps.settings.keyEncryptionKey, keyId, row.sealed);
  opened.set(keyId, key);
  return key;
}
