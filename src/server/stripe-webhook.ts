import type { FastifyInstance } from 'fastify';
import { Refusal } from '../core/errors.ts';
import { takeProviderEvent } from '../onramp/take-event.ts';
import type { Deps } from '../platform/deps.ts';
import type { HttpGuard } from './http-guard.ts';

/** Where Stripe tells of its onramp sessions. */
const STRIPE_WEBHOOK_PATH = '/api/onramp/stripe/webhook';

/**
 * Stripe's endpoint; there is none without Stripe. The signature covers the bytes, so the body is taken as it came. What is signed is answered 200
 * whatever it is about: Stripe sends again what is not.
 */
export async function mountStripeWebhook(server: FastifyInstance, deps: Deps, door: HttpGuard): Promise<void> {
  const config = deps.settings.onramp;
  if (config?.provider !== 'stripe') return;
  const { readStripeWebhook } = await import('../onramp/stripe-webhook.ts');
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
        // Stripe itself is not counted; whoever only pretends to be is.
        if (error instanceof Refusal && error.code === 'unauthorized') await door.limit(request, reply, 'others');
        throw error;
      }
      return { received: true };
    });
  });
}
