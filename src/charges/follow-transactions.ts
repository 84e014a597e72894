import type { SpenderDeps } from '../spender/deps.ts';
import { type FollowOptions, type FollowReport, followTransactions } from '../spender/follow-transactions.ts';
import type { SpenderKey } from '../spender/spender-key.ts';
import { chargeOutcomes } from './record-outcomes.ts';

/** One pass over the spender's unfinished transactions, which also records the outcomes of their charges. */
export const follow = (deps: SpenderDeps, key: SpenderKey, options?: FollowOptions): Promise<FollowReport> =>
  followTransactions(deps, key, chargeOutcomes(deps), options);
