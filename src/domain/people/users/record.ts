import type { Selectable } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';
import type { USER_COLUMNS } from './user.entity.ts';

/** A user as read from the database. Texts that were not given are empty; times are epoch ms. */
export type UserRecord = Readonly<Pick<Selectable<Database['User']>, (typeof USER_COLUMNS)[number]>> & {
  /** Part of a presence event: every viewer sees it unchanged. */
  readonly shared?: true;
};

/** A user without a heartbeat for this long is no longer live. */
export const SILENCE_MS = 120_000;

/** Whether a user is publicly live. */
export const isPublic = ({ live, spacePublic }: Pick<UserRecord, 'live' | 'spacePublic'>): boolean =>
  live && spacePublic;

/** Whether the last heartbeat is recent enough for the user to count as live. */
const isHeard = ({ lastHeartbeat }: Pick<UserRecord, 'lastHeartbeat'>, now: number): boolean =>
  lastHeartbeat !== null && lastHeartbeat > now - SILENCE_MS;

const DAY_MS = 86_400_000;

/** The beginning of the day (UTC) of a time. */
const dayOf = (time: number | null): number | null => time && time - (time % DAY_MS);

/**
 * The user as `viewer` may see it. Others see presence only if the space is public and the last heartbeat is recent.
 * The times of a user whose space is not public are given to the day, so that they do not show presence either. A user
 * sees all of its own data. A presence event is the same for every viewer.
 */
export function shownTo(user: UserRecord, viewer: Wallet | null, now: number): UserRecord {
  if (user.shared || user.wallet === viewer || (isPublic(user) && isHeard(user, now))) return user;
  const shown = { ...user, live: false, liveSince: null };
  if (user.spacePublic) return shown;
  const { lastSeen, lastHeartbeat } = user;
  return { ...shown, spaceUrl: '', platform: '', lastSeen: dayOf(lastSeen), lastHeartbeat: dayOf(lastHeartbeat) };
}
