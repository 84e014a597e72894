import type { Wallet } from '../core/wallet.ts';

/** A user as the database has it. Texts are empty where nothing was given; moments are epoch milliseconds. */
export interface UserRecord {
  readonly wallet: Wallet;
  readonly displayName: string;
  readonly pfpUrl: string;
  readonly bio: string;
  readonly xp: number;
  readonly domains: readonly string[];
  readonly platforms: readonly string[];
  readonly languages: readonly string[];
  readonly live: boolean;
  /** Whether others may see that the wallet is live, and where. */
  readonly spacePublic: boolean;
  readonly spaceUrl: string;
  readonly platform: string;
  readonly liveSince: number | null;
  readonly lastSeen: number | null;
  readonly lastHeartbeat: number | null;
  readonly followersCount: number;
  readonly followingCount: number;
  /** Of two states the one with the higher version is the later, as far as those who follow presence may see. */
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Part of a presence event: what all may see of it has been settled, whoever looks and whenever. */
  readonly told?: true;
}

/** The columns of `users` as a `UserRecord`. */
export const COLUMNS = `wallet, display_name as "displayName", pfp_url as "pfpUrl", bio, xp, domains, platforms, languages,
  live, space_public as "spacePublic", space_url as "spaceUrl", platform, live_since as "liveSince", last_seen as "lastSeen",
  last_heartbeat as "lastHeartbeat", followers_count as "followersCount", following_count as "followingCount", version,
  created_at as "createdAt", updated_at as "updatedAt"`;

/** Who has not been heard of for this long is not live any more. */
export const SILENCE_MS = 120_000;

/** Whether a user is live where everybody may see it. */
export const isPublic = ({ live, spacePublic }: Pick<UserRecord, 'live' | 'spacePublic'>): boolean =>
  live && spacePublic;

/** Whether a user was heard of lately enough to count as live, whatever its row still says. */
const isHeard = ({ lastHeartbeat }: Pick<UserRecord, 'lastHeartbeat'>, now: number): boolean =>
  lastHeartbeat !== null && lastHeartbeat > now - SILENCE_MS;

/**
 * The user as `viewer` may see it: whether and where it is live only where its space is public, and only as long as it is heard of. Everybody sees
 * everything of himself. What a presence event tells is the same for all.
 */
export function shownTo(user: UserRecord, viewer: Wallet | null, now: number): UserRecord {
  if (user.told || user.wallet === viewer || (isPublic(user) && isHeard(user, now))) return user;
  return { ...user, live: false, liveSince: null, ...(user.spacePublic ? {} : { spaceUrl: '', platform: '' }) };
}
