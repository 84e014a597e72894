import { sql } from 'kysely';
import { fold } from '../../../base/core/text.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { publishPresence } from './presence-state.ts';
import { storeProfilePictures } from './profile-pictures.ts';
import { isPublic, type UserRecord } from './record.ts';
import { USER_COLUMNS } from './user.entity.ts';
import type { UserInput } from './user.input.ts';

type Given = UserInput & { readonly wallet: Wallet; readonly searchName: string | undefined; readonly at: number };

const UPSERT = query('user-upsert', (db, $: Given) =>
  db
    .insertInto('User')
    .values({
      wallet: $.wallet,
      displayName: sql`coalesce(${$.displayName}, '')`,
      searchName: sql`coalesce(${$.searchName}, '')`,
      pfpUrl: sql`coalesce(${$.pfpUrl}, '')`,
      bio: sql`coalesce(${$.bio}, '')`,
      domains: sql`coalesce(${$.domains}::text[], '{}')`,
      platforms: sql`coalesce(${$.platforms}::text[], '{}')`,
      languages: sql`coalesce(${$.languages}::text[], '{}')`,
      lastSeen: $.at,
      createdAt: $.at,
      updatedAt: $.at,
    })
    .onConflict((conflict) =>
      conflict.column('wallet').doUpdateSet(({ ref }) => ({
        displayName: sql`coalesce(${$.displayName}, ${ref('User.displayName')})`,
        searchName: sql`coalesce(${$.searchName}, ${ref('User.searchName')})`,
        pfpUrl: sql`coalesce(${$.pfpUrl}, ${ref('User.pfpUrl')})`,
        bio: sql`coalesce(${$.bio}, ${ref('User.bio')})`,
        domains: sql`coalesce(${$.domains}::text[], ${ref('User.domains')})`,
        platforms: sql`coalesce(${$.platforms}::text[], ${ref('User.platforms')})`,
        languages: sql`coalesce(${$.languages}::text[], ${ref('User.languages')})`,
        lastSeen: $.at,
        updatedAt: $.at,
        version: sql`${ref('User.version')} + 1`,
      })),
    )
    .returning(USER_COLUMNS),
);

/**
 * Creates or changes the profile of a wallet. Omitted fields keep their value. A data URI is stored as an image.
 * If the user is publicly live, the change is published to presence followers.
 */
export async function upsertUser(
  deps: Pick<Deps, 'db' | 'bus' | 'clock' | 'settings'>,
  wallet: Wallet,
  profile: UserInput,
): Promise<UserRecord> {
  const { displayName, pfpUrl } = profile;
  const [user] = await deps.db.run(UPSERT, {
    ...profile,
    wallet,
    searchName: displayName === undefined ? undefined : fold(displayName),
    pfpUrl: pfpUrl && (await storeProfilePictures(deps, [pfpUrl])).get(pfpUrl),
    at: deps.clock(),
  });
  if (isPublic(user as UserRecord)) publishPresence(deps.bus, [user as UserRecord]);
  return user as UserRecord;
}
