import { readsWith } from '../keys/check-secrets.ts';
import type { Config } from '../platform/config/config.ts';
import { readOnce } from './doctor-database.ts';
import type { Finding } from './doctor-finding.ts';

const CHECK_VALUE = "select value from secret_checks where name = 'KEY_ENCRYPTION_KEY'";

/**
 * Checks that `KEY_ENCRYPTION_KEY` is the one that the database was written with. Finds nothing if the database does
 * not answer, or has not been written yet.
 */
export async function checkSecrets({
  databaseUrl,
  keyEncryptionKey,
}: Pick<Config, 'databaseUrl' | 'keyEncryptionKey'>): Promise<Finding[]> {
  if (databaseUrl === null || keyEncryptionKey === null) return [];
  const [row] = await readOnce<{ value: string }>(databaseUrl, CHECK_VALUE).catch(() => []);
  if (!row) return [];
  const check = 'KEY_ENCRYPTION_KEY';
  if (readsWith(keyEncryptionKey, row.value))
    return [{ check, state: 'ok', found: 'it is the key that the database was written with', fix: null }];
  const fix =
    'Set the right key: no server starts with another. docs/operations/backup.md says what to do if it is lost.';
  return [{ check, state: 'wrong', found: 'it is not the key that the database was written with', fix }];
}
