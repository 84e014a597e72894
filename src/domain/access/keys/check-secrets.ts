import { configFault } from '../../../base/platform/config/variable-fault.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps, Settings } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { encrypt, hmac, opens } from '../../../base/platform/secrets.ts';

const CONTEXT = 'secret-check';
const CONSTANT = 'quittance';

const READ = query('secret-check', (db, $: { name: string }) =>
  db.selectFrom('SecretCheck').select('value').where('name', '=', $.name),
);
const INSERT = query('secret-check-insert', (db, $: { name: string; value: string }) =>
  db
    .insertInto('SecretCheck')
    .values({ name: $.name, value: $.value })
    .onConflict((conflict) => conflict.doNothing())
    .returning('name'),
);
const CHANGE = query('secret-check-change', (db, $: { name: string; value: string }) =>
  db
    .updateTable('SecretCheck')
    .set({ value: $.value })
    .where('name', '=', $.name)
    .where('value', '<>', $.value)
    .returning('name'),
);
/** The newest keys only: older ones may predate a key that was replaced by hand. */
const SEALED = query('secret-check-sealed', (db, _: object) =>
  db.selectFrom('ApiKey').select(['id', 'sealed']).orderBy('createdAt', 'desc').limit(20),
);

const KEY = 'KEY_ENCRYPTION_KEY';
const FAULT = 'is not the key that this database was written with';

/**
 * Compares `KEY_ENCRYPTION_KEY`, or `KEY_ENCRYPTION_KEY_PREVIOUS`, with the one that encrypted the database. A
 * database without a check value accepts the key, unless it holds API keys and none can be decrypted with it. An
 * empty check value accepts any key. Throws `ConfigFaults` naming the variable; refuses with
 * `datastore_unavailable`.
 */
export async function checkEncryptionKey(db: Db, settings: Settings): Promise<void> {
  const { keyEncryptionKey: secret, previousKeyEncryptionKey } = settings;
  const secrets = [secret, ...(previousKeyEncryptionKey ? [previousKeyEncryptionKey] : [])];
  const read = async () => (await db.run(READ, { name: KEY }))[0]?.value;
  let stored = await read();
  if (stored === '') {
    // The operator has given up the former key: data encrypted with it is lost.
    await db.run(CHANGE, { name: KEY, value: encrypt(secret, CONTEXT, CONSTANT) });
    stored = (await read())!;
  }
  if (stored === undefined) {
    const sealed = await db.run(SEALED, {});
    if (sealed.length > 0 && !sealed.some((row) => secrets.some((one) => opens(one, row.id, row.sealed))))
      throw configFault(KEY, FAULT);
    await db.run(INSERT, { name: KEY, value: encrypt(secret, CONTEXT, CONSTANT) });
    // Another process may have written first, with another key.
    stored = (await read())!;
  }
  if (!secrets.some((one) => readsWith(one, stored))) throw configFault(KEY, FAULT);
}

/** Whether `KEY_ENCRYPTION_KEY` is the key that a check value was made with. An empty value accepts any key. */
export const readsWith = (secret: string, stored: string): boolean => stored === '' || opens(secret, CONTEXT, stored);

/** Stores that everything is encrypted with `KEY_ENCRYPTION_KEY`: from now on no server starts without it. */
export async function renewKeyCheck(db: Db, settings: Settings): Promise<void> {
  await db.run(CHANGE, { name: KEY, value: encrypt(settings.keyEncryptionKey, CONTEXT, CONSTANT) });
}

/** Logs once that `JWT_SECRET` has changed since the last start. */
export async function noteSessionSecret({ db, settings, log }: Pick<Deps, 'db' | 'settings' | 'log'>): Promise<void> {
  const check = { name: 'JWT_SECRET', value: hmac(settings.jwtSecret, CONSTANT) };
  await db.run(INSERT, check);
  const changed = await db.run(CHANGE, check);
  if (changed.length === 0) return;
  if (settings.previousJwtSecret === null) log.warn('JWT_SECRET was changed: all sessions and page tokens end');
  else log.info('JWT_SECRET was changed: sessions and page tokens of JWT_SECRET_PREVIOUS stay valid');
}
