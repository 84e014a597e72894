import type { OutcomeHandlers } from '../../../base/onchain/spender/record-outcomes.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { notTakenBack } from './reversed-authorization.ts';
import { recordOutcome } from './store.ts';

/** Records the outcomes of the transactions that carry out authorizations. */
export const gaslessOutcomes = (deps: Pick<Deps, 'chain' | 'clock'>): OutcomeHandlers => ({
  authorization: {
    async record(uow, outcomes) {
      for (const { subjectId, outcome, minedHash } of outcomes)
        await recordOutcome(deps, uow, subjectId, outcome === 'success' ? minedHash : null);
    },
    // The payment watcher must first take the payment back.
    postponed: (uow, subjectIds) => notTakenBack(deps.chain, uow, subjectIds),
  },
});
