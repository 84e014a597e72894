/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { Operation } from '../client/graphql.ts';
/** The kind of a presence event. */
export type PresenceKind =
  /** The user is still live and its data changed. */
  | 'changed'
  /** The user became publicly live, or was already when the stream began. */
  | 'joined'
  /** The user ended its presence, sent no heartbeat for two minutes, or became private. */
  | 'left';

export type LivePageSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type LivePageSubscription = { livePresence: { kind: PresenceKind, wallet: string, user: { displayName: string, pfpUrl: string, xp: number, languages: Array<string>, platform: string, spaceUrl: string, liveSince: number | null } } };

export const LivePage = ('subscription LivePage{livePresence{kind wallet user{displayName pfpUrl xp languages platform spaceUrl liveSince}}}') as Operation<LivePageSubscription, LivePageSubscriptionVariables>;