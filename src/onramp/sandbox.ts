import { randomBytes } from 'node:crypto';
import type { OnrampProvider } from './provider.ts';
import { centsAtPar } from './stripe-request.ts';

/** The sandbox's fee: 3.5 % of what is bought, at least half a dollar. Made up, so that totals differ as they do in earnest. */
const FEE_BPS = 350;
const FEE_LEAST_CENTS = 50;

/** Where the sandbox's page of a session is. */
export const sandboxPath = (sessionId: string): string => `/onramp/sandbox/${sessionId}`;

/** The stand-in on the local chain: a page of ours, on which one says what shall happen. Its session ids open that page, so they cannot be guessed. */
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
