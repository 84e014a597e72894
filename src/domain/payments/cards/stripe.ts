import Stripe from 'stripe';
import { z } from 'zod';
import { keptBy } from '../../../base/core/kept.ts';
import { DESTINATIONS } from '../../../base/outgoing/destinations.ts';
import { openFixedHost } from '../../../base/outgoing/fixed-host.ts';
import type { OnrampConfig, StripeNetwork } from '../../../base/platform/config/onramp.ts';
import type { Logger } from '../../../base/platform/log/log.ts';
import { sha256 } from '../../../base/platform/secrets.ts';
import { cardFailure } from './failure-sources.ts';
import type { OnrampProvider, SessionAnswer, SessionRequest } from './provider.ts';
import { centsAtPar, OPTIONAL_PARAMETERS, quoteQuery, sessionParameters } from './stripe-request.ts';
import { amountsOf, centsFrom, stripeSession } from './stripe-session.ts';

export type StripeConfig = Extract<OnrampConfig, { provider: 'stripe' }>;

const quotes = z.object({
  source_amount: z.union([z.string(), z.number()]).transform(String).nullish(),
  destination_network_quotes: z.record(
    z.string(),
    z.array(z.object({ source_total_amount: z.union([z.string(), z.number()]).transform(String).nullish() })).nullish(),
  ),
});

/** The client of Stripe's API, or of a replacement at `apiUrl`. */
export const stripeClient = keptBy('Stripe client', (config: StripeConfig): Stripe => {
  const { protocol, hostname, port } = new URL(config.apiUrl);
  return new Stripe(config.secretKey, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port ? { port } : {}),
    httpClient: Stripe.createFetchHttpClient(openFixedHost(config.apiUrl) as typeof fetch),
    timeout: DESTINATIONS.cardSession.timeoutMs,
    maxNetworkRetries: DESTINATIONS.cardSession.tries - 1,
    telemetry: false,
  });
});

/** Stripe's crypto onramp on its hosted page. */
export function stripeProvider(config: StripeConfig, log: Logger): OnrampProvider {
  const stripe = stripeClient(config);
  const networkOf = ({ chainId }: SessionRequest): StripeNetwork => {
    const network = config.networks.get(chainId);
    if (network === undefined) throw new Error(`Stripe does not deliver on chain ${chainId}`);
    return network;
  };

  /** The amounts to charge so that the whole amount arrives. Never less than par; at par if Stripe gives no quote. */
  async function readAmounts(request: SessionRequest) {
    const atPar = centsAtPar(request.amount, request.decimals);
    const network = networkOf(request);
    try {
      const path = `/v1/crypto/onramp_quotes?${quoteQuery(request, network)}`;
      // A quote only improves the amounts, so it is waited for shortly and asked once.
      const options = {
        timeout: DESTINATIONS.cardQuote.timeoutMs,
        maxNetworkRetries: DESTINATIONS.cardQuote.tries - 1,
      };
      const answer = quotes.parse(await stripe.rawRequest('GET', path, undefined, options));
      const total = centsFrom(answer.destination_network_quotes[network]?.[0]?.source_total_amount);
      return {
        sourceAmountCents: Math.max(atPar, centsFrom(answer.source_amount) ?? atPar),
        customerTotalCents: total,
      };
    } catch (error) {
      log.info({ reason: reasonOf(error) }, 'no quote from the card provider');
      return { sourceAmountCents: atPar, customerTotalCents: null };
    }
  }

  async function create(request: SessionRequest, sourceAmountCents: number) {
    const parameters: Record<string, unknown> = sessionParameters(request, networkOf(request), sourceAmountCents);
    for (;;) {
      // Stripe binds an idempotency key to one set of parameters.
      const idempotencyKey = sha256(JSON.stringify([request.attempt, parameters]));
      try {
        return stripeSession.parse(
          await stripe.rawRequest('POST', '/v1/crypto/onramp_sessions', parameters, { idempotencyKey }),
        );
      } catch (error) {
        const unknown = unknownParameter(error);
        if (unknown === null || !(unknown in parameters)) throw error;
        delete parameters[unknown];
      }
    }
  }

  async function openSession(request: SessionRequest): Promise<SessionAnswer> {
    try {
      const amounts = await readAmounts(request);
      const session = await create(request, amounts.sourceAmountCents);
      if (!session.redirect_url)
        return { kind: 'refused', code: 'PORTAL_SYS_GENERIC_FAILURE', reason: 'no redirect_url' };
      const reported = amountsOf(session);
      return {
        kind: 'opened',
        sessionId: session.id,
        url: session.redirect_url,
        sourceAmountCents: reported.sourceAmountCents ?? amounts.sourceAmountCents,
        customerTotalCents: reported.customerTotalCents ?? amounts.customerTotalCents,
      };
    } catch (error) {
      return { kind: 'refused', code: failureOf(error), reason: reasonOf(error) };
    }
  }

  return { name: 'stripe', label: 'Stripe', opensInNewTab: false, openSession };
}

function unknownParameter(error: unknown): (typeof OPTIONAL_PARAMETERS)[number] | null {
  if (!(error instanceof Stripe.errors.StripeInvalidRequestError) || error.code !== 'parameter_unknown') return null;
  return OPTIONAL_PARAMETERS.find((name) => error.param === name || error.param?.startsWith(`${name}[`)) ?? null;
}

/** The failure code for an error of Stripe's client. */
function failureOf(error: unknown) {
  if (error instanceof Stripe.errors.StripeConnectionError) return 'PORTAL_SYS_NETWORK_TIMEOUT';
  if (!(error instanceof Stripe.errors.StripeError)) return 'PORTAL_SYS_GENERIC_FAILURE';
  return cardFailure(error.decline_code, error.code, error.type);
}

/** An error for the log: codes and Stripe's request id. The message is left out because it may quote the request. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Stripe.errors.StripeError)) return error instanceof Error ? error.name : 'unknown';
  return [error.type, error.code, error.statusCode, error.requestId].filter(Boolean).join(' ');
}
