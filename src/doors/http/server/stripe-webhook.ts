import type { FastifyInstance } from 'fastify';
import { Refusal } from '../../../base/core/errors.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { takeProviderEvent } from '../../../domain/payments/cards/take-event.ts';
import type { HttpGuard } from './http-guard.ts';

/** Receives the events of Stripe's onramp sessions. */
const STRIPE_WEBHOOK_PATH = '/api/onramp/stripe/webhook';

/**
 * Mounts Stripe's webhook endpoint, if Stripe is configured. The signature covers the raw bytes of the body. Every
 * correctly signed event is answered 200, because Stripe resends events that are not.
 */
export async function mountStripeWebhook(server: FastifyInstance, deps: Deps, guard: HttpGuard): Promise<void> {
  const config = deps.settings.onramp;
  if (config?.provider !== 'stripe') return;
  const { readStripeWebhook } = await import('../../../domain/payments/cards/stripe-webhook.ts');
  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.post(STRIPE_WEBHOOK_PATH, async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const signature = request.headers['stripe-signature'];
      try {
        const given = typeof signature === 'string' ? signature : undefined;
        const delivery = readStripeWebhook(config, { body, signature: given, now: deps.clock() });
        if (delivery) await takeProviderEvent(deps, 'stripe', delivery.sessionId, delivery.event);
      } catch (error) {
        // Requests with a valid signature are not counted; others are.
        if (error instanceof Refusal && error.code === 'unauthorized') await guard.limit(request, reply, 'others');
        throw error;
      }
      return { received: true };
    });
  });
}
