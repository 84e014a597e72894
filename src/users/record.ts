import type { Wallet } from '../core/wallet.ts';

/** A user as stored in the database. Texts that were not given are empty; times are epoch ms. */
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
  /**
   * Increases with every change that presence followers can see, so the state with the higher version is the later one.
   */
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Part of a presence event: every viewer sees it unchanged. */
  readonly shared?: true;
}

/** The columns of `users` as a `UserRecord`. */
export const COLUMNS = `wallet, display_name as "displayName", pfp_url as "pfpUrl", bio, xp, domains, platforms, languages,
  live, space_public as "spacePublic", space_url as "spaceUrl", platform, live_since as "liveSince", last_seen as "lastSeen",
  last_heartbeat as "lastHeartbeat", followers_count as "followersCount", following_count as "followingCount", version,
  created_at as "createdAt", updated_at as "updatedAt"`;

/** A user without a heartbeat for this long is no longer live. */
export const SILENCE_MS = 120_000;

/** Whether a user is publicly live. */
export const isPublic = ({ live, spacePublic }: Pick<UserRecord, 'live' | 'spacePublic'>): boolean =>
  live && spacePublic;

/** Whether the last heartbeat is recent enough for the user to count as live. */
const isHeard = ({ lastHeartbeat }: Pick<UserRecord, 'lastHeartbeat'>, now: number): boolean =>
  lastHeartbeat !== null && lastHeartbeat > now - SILENCE_MS;

/**
 * The user as `viewer` may see it. Others see presence only if the space is public and the last heartbeat is recent; a
 * user sees all of its own data. A presence event is the same for every viewer.
 */
export function shownTo(user: UserRecord, viewer: Wallet | null, now: number): UserRecord {
  if (user.shared || user.wallet === viewer || (isPublic(user) && isHeard(user, now))) return user;
  return { ...user, live: false, liveSince: null, ...(user.spacePublic ? {} : { spaceUrl: '', platform: '' }) };
}
