import { sql } from 'kysely';
import type { Wallet } from '../../core/wallet.ts';
import type { Db } from '../../platform/db.ts';
import { query } from '../../platform/postgres/query.ts';
import { PLATFORM } from './audit-entry.entity.ts';
import { recordAudit, type WritingDeps } from './record.ts';

/**
 * Erases the personal data of the entries of a merchant, or of all, that are older than `before`: addresses, user
 * agents and e-mail addresses. The chains stay valid. Returns the number of entries.
 */
export function eraseAuditPersonal(
  deps: WritingDeps,
  { merchant, before }: { readonly merchant: Wallet | null; readonly before: number },
): Promise<number> {
  return deps.db.transaction(async (uow) => {
    const erased = await uow.db
      .updateTable('AuditEntry')
      .set({ personal: null, salt: null })
      .where('at', '<', before)
      .where('personal', 'is not', null)
      .$if(merchant !== null, (update) => update.where('merchant', '=', merchant as Wallet))
      .executeTakeFirstOrThrow();
    const entries = Number(erased.numUpdatedRows);
    await recordAudit(deps, uow, merchant ?? PLATFORM, 'audit.erased', ['audit', merchant ?? PLATFORM], {
      after: { entries, before },
    });
    return entries;
  });
}

/** The entries that one statement reads. */
const PAGE = 5_000;

const HEAD = query('audit-head-position', (db, $: { merchant: Wallet }) =>
  db.selectFrom('AuditHead').select('position').where('merchant', '=', $.merchant),
);

const ERASE_NAMING = query(
  'audit-erase-naming',
  (_db, $: { merchant: Wallet; after: number; names: readonly string[] }) => sql<{ position: number }>`
    update audit_entries
       set personal = case when personal->'valuesSalt' is not null then personal::jsonb - 'values' - 'valuesSalt' end,
           salt = case when personal->'valuesSalt' is not null then salt end
     where merchant = ${$.merchant} and position > ${$.after}::int8 and position <= ${$.after}::int8 + ${sql.lit(PAGE)}
       and exists (select from unnest(${$.names}::text[]) name where strpos(lower(personal->>'values'), name) > 0)
    returning position`,
  { computed: { position: 'int8' }, slow: true },
);

/**
 * Erases the personal values of the entries of a merchant that name somebody, such as an export that was filtered by an
 * e-mail address. Who acted stays, except in entries of earlier versions. The chain stays valid. Returns the number of
 * entries.
 *
 * @param names texts in lower case
 */
export async function eraseEntriesNaming(db: Db, merchant: Wallet, names: readonly string[]): Promise<number> {
  const [head] = await db.run(HEAD, { merchant });
  let entries = 0;
  for (let after = 0; names.length > 0 && after < (head?.position ?? 0); after += PAGE)
    entries += (await db.run(ERASE_NAMING, { merchant, after, names })).length;
  return entries;
}
