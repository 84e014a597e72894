import { merchantOf } from '../../../base/core/caller.ts';
import {
  planChange,
  planChoice,
  planInput,
  plansQuery as plansOf,
} from '../../../domain/recurring/plans/plan.input.ts';
import { requireOwnWallet } from '../../../domain/shop/merchants/own-wallet.ts';
import type { CreatePlanInput, UpdatePlanInput } from '../generated/graphql.ts';
import { readsBody, readsQuery } from '../reader.ts';

/** The query of `GET /api/subscriptions/plans`. */
export const plansQuery = readsQuery(plansOf, ({ wallet }) => wallet);

/** The body of `POST /api/subscriptions/plans`. */
export const planBody = readsBody(
  planInput,
  ({ priceUsd, ...plan }, { caller }): CreatePlanInput => {
    requireOwnWallet(merchantOf(caller), plan.wallet);
    return { ...plan, priceUsd: priceUsd / 100 };
  },
  { mayBeMissing: true },
);

/** The body of `PUT /api/subscriptions/plans`. */
export const planChangeBody = readsBody(
  planChange,
  ({ priceUsd, ...change }, { caller }): UpdatePlanInput => {
    requireOwnWallet(merchantOf(caller), change.wallet);
    return { ...change, priceUsd: priceUsd === undefined ? undefined : priceUsd / 100 };
  },
  { mayBeMissing: true },
);

/** The body of `DELETE /api/subscriptions/plans`. */
export const planChoiceBody = readsBody(
  planChoice,
  ({ wallet, planId }, { caller }) => {
    requireOwnWallet(merchantOf(caller), wallet);
    return planId;
  },
  { mayBeMissing: true },
);
