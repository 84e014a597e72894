import type { components } from './generated/api.d.ts';
import type { CallOptions, Requester } from './request.ts';
import type { Answer, Body } from './routes.ts';

/** A plan for recurring payments. */
export type Plan = components['schemas']['Plan'];

const PATH = '/api/subscriptions/plans';

/** The merchant's plans. A key reads them; an admin's session also writes them. */
export function createPlans({ send }: Requester) {
  const planOf = async (answer: Promise<Answer<'updatePlan'>>): Promise<Plan> => (await answer).plan;
  return {
    /** The active plans of a merchant, the oldest first. */
    list: async (merchant: string, call: CallOptions = {}): Promise<Plan[]> =>
      (await send<Answer<'plans'>>({ method: 'GET', path: PATH, query: { wallet: merchant }, safe: true, ...call }))
        .plans,

    create: (body: Body<'createPlan'>, call: CallOptions = {}): Promise<Plan> =>
      planOf(send({ method: 'POST', path: PATH, body, safe: false, ...call })),

    /** Changes the given fields. Existing subscriptions keep their price and period. */
    update: (planId: string, changes: Omit<Body<'updatePlan'>, 'planId'>, call: CallOptions = {}): Promise<Plan> =>
      planOf(send({ method: 'PUT', path: PATH, body: { ...changes, planId }, safe: true, ...call })),

    /** Takes no new subscriptions from now on. Existing ones continue. */
    deactivate: (planId: string, call: CallOptions = {}): Promise<Plan> =>
      planOf(send({ method: 'DELETE', path: PATH, body: { planId }, safe: true, ...call })),
  };
}
