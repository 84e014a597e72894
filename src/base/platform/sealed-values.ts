import type { Db } from './db.ts';
import { opens, type SealingKeys, seal, unseal } from './secrets.ts';

/** A row with encrypted values, each with the context that it was encrypted for. */
interface SealedRow {
  /** Its place in the order of its table. */
  readonly at: string;
  readonly values: readonly { readonly context: string; readonly sealed: string }[];
}

/** What is stored encrypted with `KEY_ENCRYPTION_KEY`, in one table. */
export interface SealedValues {
  /** Its name for people, in the plural. */
  readonly what: string;
  /** The rows after a place, in order. */
  page(db: Db, after: string, limit: number): Promise<readonly SealedRow[]>;
  /** Replaces the values of a row, unless the row has changed since it was read. */
  replace(db: Db, row: SealedRow, sealed: readonly string[]): Promise<void>;
}

/** The rows of one table, by the key that their values need. */
export interface SealedUse {
  readonly what: string;
  readonly current: number;
  readonly previous: number;
  /** Rows that neither key opens. */
  readonly lost: number;
}

const PAGE = 500;

/** Counts the rows of a table by the key that they need, and encrypts those of the previous key again if asked. */
export async function readSealed(
  db: Db,
  keys: SealingKeys,
  { what, page, replace }: SealedValues,
  { reseal = false }: { readonly reseal?: boolean } = {},
): Promise<SealedUse> {
  const counts = { current: 0, previous: 0, lost: 0 };
  let after = '';
  while (true) {
    const rows = await page(db, after, PAGE);
    for (const row of rows) {
      const key = keyOf(keys, row);
      counts[key] += 1;
      if (!reseal || key !== 'previous') continue;
      const sealed = row.values.map((one) => seal(keys, one.context, unseal(keys, one.context, one.sealed)));
      await replace(db, row, sealed);
    }
    if (rows.length < PAGE) return { what, ...counts };
    after = rows.at(-1)!.at;
  }
}

function keyOf({ keyEncryptionKey, previousKeyEncryptionKey }: SealingKeys, { values }: SealedRow): keyof Counts {
  const opensAll = (secrets: readonly string[]) =>
    values.every(({ context, sealed }) => secrets.some((secret) => opens(secret, context, sealed)));
  if (opensAll([keyEncryptionKey])) return 'current';
  return previousKeyEncryptionKey && opensAll([keyEncryptionKey, previousKeyEncryptionKey]) ? 'previous' : 'lost';
}

type Counts = Omit<SealedUse, 'what'>;
