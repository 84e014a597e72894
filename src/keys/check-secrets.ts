import { configFault } from '../platform/config.ts';
import type { Deps } from '../platform/deps.ts';
import { decrypt, encrypt, hmac } from '../platform/secrets.ts';
import { statement } from '../platform/sql.ts';

const CONTEXT = 'secret-check';
const CONSTANT = 'quittance';

const READ = statement('secret-check', 'select value from secret_checks where name = $1');
const KEEP = statement(
  'secret-check-keep',
  'insert into secret_checks (name, value) values ($1, $2) on conflict do nothing',
);
const CHANGE = statement(
  'secret-check-change',
  'update secret_checks set value = $2 where name = $1 and value <> $2 returning name',
);
/** The newest keys only: older ones may predate a key that was replaced by hand. */
const SEALED = statement('secret-check-sealed', 'select id, sealed from api_keys order by created_at desc limit 20');

const KEY = 'KEY_ENCRYPTION_KEY';
const FAULT = 'is not the key that this database was written with';

/**
 * Compares `KEY_ENCRYPTION_KEY` with the one that encrypted the database. A database without a check value accepts the
 * key, unless it holds API keys and none can be decrypted with it. An empty check value accepts any key. Throws
 * `ConfigFaults` naming the variable; refuses with `datastore_unavailable`.
 */
export async function checkEncryptionKey({ sql, settings }: Pick<Deps, 'sql' | 'settings'>): Promise<void> {
  const secret = settings.keyEncryptionKey;
  const read = async () => (await sql.rows<{ value: string }>(READ, [KEY]))[0]?.value;
  let stored = await read();
  if (stored === '') {
    // The operator has given up the former key: data encrypted with it is lost.
    await sql.rows(CHANGE, [KEY, encrypt(secret, CONTEXT, CONSTANT)]);
    stored = (await read())!;
  }
  if (stored === undefined) {
    const sealed = await sql.rows<{ id: string; sealed: string }>(SEALED, []);
    if (sealed.length > 0 && !sealed.some((row) => opens(secret, row.id, row.sealed))) throw configFault(KEY, FAULT);
    await sql.rows(KEEP, [KEY, encrypt(secret, CONTEXT, CONSTANT)]);
    // Another process may have written first, with another key.
    stored = (await read())!;
  }
  if (!opens(secret, CONTEXT, stored)) throw configFault(KEY, FAULT);
}

function opens(secret: string, context: string, sealed: string): boolean {
  try {
    decrypt(secret, context, sealed);
    return true;
  } catch {
    return false;
  }
}

/** Logs once that `JWT_SECRET` has changed since the last start. */
export async function noteSessionSecret({ sql, settings, log }: Pick<Deps, 'sql' | 'settings' | 'log'>): Promise<void> {
  const fingerprint = hmac(settings.jwtSecret, CONSTANT);
  await sql.rows(KEEP, ['JWT_SECRET', fingerprint]);
  const changed = await sql.rows(CHANGE, ['JWT_SECRET', fingerprint]);
  if (changed.length > 0) log.warn('JWT_SECRET was changed: all sessions and page tokens end');
}
