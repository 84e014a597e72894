import type { Config } from '../../base/platform/config/config.ts';
import { createLog } from '../../base/platform/log/log.ts';
import { createOrm } from '../../base/platform/orm.ts';
import type { SealedUse } from '../../base/platform/sealed-values.ts';
import { createSql } from '../../base/platform/sql.ts';
import { readsWith } from '../../domain/access/keys/check-secrets.ts';
import { readSealedUses } from '../../domain/operations/operators/re-encrypt.ts';
import { entities } from '../entities.ts';
import { readOnce } from './doctor-database.ts';
import type { Finding } from './doctor-finding.ts';

const CHECK_VALUE = "select value from secret_checks where name = 'KEY_ENCRYPTION_KEY'";

type Keys = Pick<Config, 'databaseUrl' | 'keyEncryptionKey' | 'previousKeyEncryptionKey'>;

/**
 * Checks that `KEY_ENCRYPTION_KEY` is the one that the database was written with, or what still needs the one that it
 * replaces. Finds nothing if the database does not answer, or has not been written yet.
 */
export async function checkSecrets({
  databaseUrl,
  keyEncryptionKey,
  previousKeyEncryptionKey,
}: Keys): Promise<Finding[]> {
  if (databaseUrl === null || keyEncryptionKey === null) return [];
  const [row] = await readOnce<{ value: string }>(databaseUrl, CHECK_VALUE).catch(() => []);
  if (!row) return [];
  const check = 'KEY_ENCRYPTION_KEY';
  const isCurrent = readsWith(keyEncryptionKey, row.value);
  if (previousKeyEncryptionKey !== null && (isCurrent || readsWith(previousKeyEncryptionKey, row.value)))
    return [await findingOfUses(databaseUrl, { keyEncryptionKey, previousKeyEncryptionKey }, isCurrent)];
  if (isCurrent) return [{ check, state: 'ok', found: 'it is the key that the database was written with', fix: null }];
  const fix =
    'Set the right key: no server starts with another. docs/operations/backup.md says what to do if it is lost.';
  return [{ check, state: 'wrong', found: 'it is not the key that the database was written with', fix }];
}

/** What still needs the replaced key. */
async function findingOfUses(
  databaseUrl: string,
  keys: { readonly keyEncryptionKey: string; readonly previousKeyEncryptionKey: string },
  isCurrent: boolean,
): Promise<Finding> {
  const check = 'KEY_ENCRYPTION_KEY_PREVIOUS';
  const uses = (await usesOf(databaseUrl, keys)).filter(({ previous }) => previous > 0);
  if (isCurrent && uses.length === 0)
    return { check, state: 'note', found: 'nothing is encrypted with it', fix: 'Remove it, and restart the servers.' };
  const rows = uses.map(({ what, previous }) => `${previous} ${what}`).join(', ') || 'the check value of the database';
  return {
    check,
    state: 'note',
    found: `it is still needed: ${rows}`,
    fix: 'When all servers have both keys and KEY_ENCRYPTION_KEY is the new one: quittance secrets re-encrypt',
  };
}

async function usesOf(databaseUrl: string, keys: Parameters<typeof readSealedUses>[1]): Promise<SealedUse[]> {
  const orm = await createOrm(databaseUrl, entities);
  const sql = createSql(databaseUrl, orm, createLog('silent'));
  try {
    return await readSealedUses({ sql }, keys);
  } finally {
    await Promise.all([sql.close(), orm.close()]);
  }
}
