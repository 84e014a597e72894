import type { FastifyInstance } from 'fastify';
import { isStorable, MAX_ID } from '../../../base/core/limits.ts';
import { toRefusal } from '../../../base/graphql/errors.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { HttpGuard } from '../../http/server/http-guard.ts';
import { readingOf } from '../shared/reading.ts';
import { sendPage } from '../shared/send-page.ts';
import type { PageAssets } from '../shared/shell.ts';
import { renderNoPlanPage, renderPlanProblemPage, renderSubscribePage } from './page.ts';
import { readView } from './read-view.ts';

/** The page of a plan at `/subscribe/<plan_id>`; `?subscription=` names a subscription to it. */
export function mountSubscribe(server: FastifyInstance, deps: Deps, guard: HttpGuard, assets: PageAssets): void {
  server.get<{ Params: { planId: string }; Querystring: { subscription?: unknown } }>('/subscribe/:planId', {
    async onRequest(request, reply) {
      await guard.limit(request, reply, 'others');
    },
    async handler(request, reply) {
      const { subscription } = request.query;
      const reading = readingOf(request);
      const named = typeof subscription === 'string' && subscription.length <= MAX_ID && isStorable(subscription);
      try {
        const view = isStorable(request.params.planId)
          ? await readView(deps, {
              planId: request.params.planId,
              subscriptionId: named ? subscription : null,
              readingOf: (shop, receipt) => readingOf(request, { shop, receipt }),
            })
          : null;
        if (!view) return sendPage(reply, reading, 404, (nonce) => renderNoPlanPage(reading, assets, nonce));
        return sendPage(reply, view.reading, 200, (nonce) => renderSubscribePage(view, assets, nonce));
      } catch (error) {
        const refusal = toRefusal(error, deps.log, request.id);
        return sendPage(reply, reading, refusal.status, (nonce) => renderPlanProblemPage(reading, assets, nonce));
      }
    },
  });
}
