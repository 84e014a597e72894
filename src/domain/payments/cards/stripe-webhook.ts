import { z } from 'zod';
import { malformed, refuse } from '../../../base/core/errors.ts';
import type { ProviderEvent } from './provider.ts';
import { type StripeConfig, stripeClient } from './stripe.ts';
import { readStripeEvent, stripeSession } from './stripe-session.ts';

/** The maximum difference between an event's signature time and now, in either direction. */
const TOLERANCE_S = 300;

const event = z.object({
  id: z.string().min(1).max(256),
  created: z.number(),
  data: z.object({ object: z.looseObject({ object: z.string() }) }),
});

/** An event about a session, with the session's id. */
export interface StripeDelivery {
  readonly sessionId: string;
  readonly event: ProviderEvent;
}

/**
 * Parses a request to Stripe's webhook endpoint from its raw body, which `Stripe-Signature` covers. Null for an event
 * that is not about an onramp session. Refuses with `unauthorized` if it is not signed with the endpoint's secret
 * within the tolerance, and with `invalid_input` if it is signed but malformed.
 */
export function readStripeWebhook(
  config: StripeConfig,
  { body, signature, now }: { readonly body: Buffer; readonly signature: string | undefined; readonly now: number },
): StripeDelivery | null {
  const payload = verify(config, body, signature, now);
  const parsed = event.safeParse(payload);
  if (!parsed.success) throw malformed('The event is not a valid Stripe event');
  const { id, created, data } = parsed.data;
  if (data.object.object !== 'crypto.onramp_session') return null;
  const session = stripeSession.safeParse(data.object);
  if (!session.success) throw malformed('The session is not a valid Stripe onramp session');
  const providerEvent = readStripeEvent(id, created * 1000, session.data);
  return providerEvent && { sessionId: session.data.id, event: providerEvent };
}

function verify(config: StripeConfig, body: Buffer, signature: string | undefined, now: number): unknown {
  const no = () => refuse('unauthorized', 'The Stripe-Signature is missing, wrong or too old');
  // The package accepts signatures with a future time.
  const signedAtS = Number(/(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature ?? '')?.[1] ?? Number.NaN);
  if (signature === undefined || !(signedAtS - now / 1000 <= TOLERANCE_S)) throw no();
  const { webhooks } = stripeClient(config);
  try {
    return webhooks.constructEvent(body, signature, config.webhookSecret, TOLERANCE_S, undefined, now);
  } catch (error) {
    if (error instanceof SyntaxError) throw malformed('The request body is not valid JSON');
    throw no();
  }
}
