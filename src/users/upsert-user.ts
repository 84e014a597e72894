import { parseInput } from '../core/input.ts';
import type { Wallet } from '../core/wallet.ts';
import { storePictures } from '../images/store.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import { publishPresence } from './presence-event.ts';
import { COLUMNS, isPublic, type UserRecord } from './record.ts';
import { userInput } from './user.input.ts';

const UPSERT = statement(
  'user-upsert',
  `insert into users as u (wallet, display_name, search_name, pfp_url, bio, domains, platforms, languages, last_seen, created_at, updated_at)
   values ($1, coalesce($2, ''), coalesce($3, ''), coalesce($4, ''), coalesce($5, ''),
           coalesce($6::text[], '{}'), coalesce($7::text[], '{}'), coalesce($8::text[], '{}'), $9, $9, $9)
   on conflict (wallet) do update set
     display_name = coalesce($2, u.display_name), search_name = coalesce($3, u.search_name), pfp_url = coalesce($4, u.pfp_url),
     bio = coalesce($5, u.bio), domains = coalesce($6::text[], u.domains), platforms = coalesce($7::text[], u.platforms),
     languages = coalesce($8::text[], u.languages), last_seen = $9, updated_at = $9, version = u.version + 1
   returning ${COLUMNS}`,
);

/** The form of a name that searches compare. */
export const searchName = (displayName: string): string => displayName.toLowerCase();

/**
 * Creates or changes the profile of a wallet. Omitted fields keep their value. A data URI is stored as an image.
 * If the user is publicly live, the change is published to presence followers.
 * Refuses with `invalid_input`.
 */
export async function upsertUser(
  deps: Pick<Deps, 'sql' | 'bus' | 'clock'>,
  wallet: Wallet,
  input: unknown,
): Promise<UserRecord> {
  const { displayName, pfpUrl, bio, domains, platforms, languages } = parseInput(userInput, input);
  const name = displayName === undefined ? null : searchName(displayName);
  const picture = pfpUrl && (await storePictures(deps, [pfpUrl])).get(pfpUrl);
  const given = [displayName, name, picture, bio, domains, platforms, languages];
  const [user] = await deps.sql.rows<UserRecord>(UPSERT, [
    wallet,
    ...given.map((value) => value ?? null),
    deps.clock(),
  ]);
  if (isPublic(user as UserRecord)) publishPresence(deps, [user as UserRecord]);
  return user as UserRecord;
}
