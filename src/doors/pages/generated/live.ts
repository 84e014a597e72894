import type { Operation } from '../client/graphql.ts';
import type * as types from './types.d.ts';
export type * from './types.d.ts';
export const LivePage = ('subscription LivePage{livePresence{kind wallet user{displayName pfpUrl xp languages platform spaceUrl liveSince}}}') as Operation<types.LivePageSubscription, types.LivePageSubscriptionVariables>;