import { randomBytes } from 'node:crypto';
import type { OnrampProvider } from './provider.ts';
import { centsAtPar } from './stripe-request.ts';

/**
 * The sandbox's fee: 3.5 % of the purchase, at least half a dollar. It exists so that totals differ as with a real
 * provider.
 */
const FEE_BPS = 350;
const FEE_LEAST_CENTS = 50;

/** The path of a session's sandbox page. */
export const sandboxPath = (sessionId: string): string => `/onramp/sandbox/${sessionId}`;

/**
 * The replacement for a card provider on the local chain: a page on which the user chooses the outcome. A session id
 * grants access to its page, so it is unguessable.
 */
export function sandboxProvider(baseUrl: string): OnrampProvider {
  return {
    name: 'sandbox',
    label: 'Sandbox Card Provider',
    opensInNewTab: false,
    async openSession({ amount, decimals }) {
      const sessionId = `cos_sandbox_${randomBytes(20).toString('hex')}`;
      const sourceAmountCents = centsAtPar(amount, decimals);
      const feeCents = Math.max(FEE_LEAST_CENTS, Math.ceil((sourceAmountCents * FEE_BPS) / 10_000));
      return {
        kind: 'opened',
        sessionId,
        url: baseUrl + sandboxPath(sessionId),
        sourceAmountCents,
        customerTotalCents: sourceAmountCents + feeCents,
      };
    },
  };
}
