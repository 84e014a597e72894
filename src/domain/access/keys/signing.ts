import { boundedCache } from '../../../base/core/caches.ts';
import { refuse } from '../../../base/core/errors.ts';
import { keptBy } from '../../../base/core/kept.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Settings } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { SealedValues } from '../../../base/platform/sealed-values.ts';
import { unseal } from '../../../base/platform/secrets.ts';

const SEALED = query('key-sealed', (db, $: { id: string }) =>
  db.selectFrom('ApiKey').select('sealed').where('id', '=', $.id),
);

const OPENED = 1_000;
const openedBy = keptBy('plain API keys', (_db: Db) => boundedCache<string, string>({ max: OPENED }));

/**
 * The plain key that signs a receipt's webhooks, even after its revocation. A key never changes, so the decrypted key
 * is cached in memory.
 *
 * Errors: `not_found`, `datastore_unavailable`. Throws if `KEY_ENCRYPTION_KEY` is not the one that encrypted it.
 */
export async function signingKey(db: Db, settings: Settings, keyId: string): Promise<string> {
  const opened = openedBy(db);
  const known = opened.get(keyId);
  if (known) return known;
  const [row] = await db.run(SEALED, { id: keyId });
  if (!row) throw refuse('not_found', 'No such key');
  const key = unseal(settings, keyId, row.sealed);
  opened.set(keyId, key);
  return key;
}

const SEALED_PAGE = query('keys-sealed-page', (db, $: { after: string; limit: number }) =>
  db.selectFrom('ApiKey').select(['id', 'sealed']).where('id', '>', $.after).orderBy('id').limit($.limit),
);
const RESEAL = query('key-reseal', (db, $: { id: string; sealed: string }) =>
  db.updateTable('ApiKey').set({ sealed: $.sealed }).where('id', '=', $.id),
);

/** The encrypted copies of API keys. A key never changes. */
export const sealedKeys: SealedValues = {
  what: 'API keys',
  page: async (db, after, limit) =>
    (await db.run(SEALED_PAGE, { after, limit })).map(({ id, sealed }) => ({
      at: id,
      values: [{ context: id, sealed }],
    })),
  replace: async (db, { at }, [sealed]) => void (await db.run(RESEAL, { id: at, sealed: sealed! })),
};
