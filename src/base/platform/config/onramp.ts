import { isLocalChain, LOCAL_CHAIN_ID, SLOW_CHAIN_ID } from '../../core/local-chains.ts';

/** The card provider and its settings. */
export type OnrampConfig =
  | { readonly provider: 'sandbox' }
  | {
      readonly provider: 'stripe';
      readonly secretKey: string;
      readonly webhookSecret: string;
      readonly apiUrl: string;
      /** Stripe's names of the server's chains that it delivers to, by their ids. */
      readonly networks: ReadonlyMap<number, StripeNetwork>;
    };

export type StripeNetwork = 'ethereum' | 'optimism' | 'polygon' | 'base';

/** The chains on which Stripe delivers USDC. */
const NETWORKS: Readonly<Record<number, StripeNetwork>> = {
  1: 'ethereum',
  10: 'optimism',
  137: 'polygon',
  8453: 'base',
};
/** The chains on which a key in test mode is accepted. Stripe delivers nothing in test mode. */
const TEST_NETWORKS: Readonly<Record<number, StripeNetwork>> = {
  ...NETWORKS,
  [LOCAL_CHAIN_ID]: 'ethereum',
  [SLOW_CHAIN_ID]: 'ethereum',
  84532: 'base',
  11155111: 'ethereum',
};

const STRIPE_API_URL = 'https://api.stripe.com';
const EXAMPLES = { STRIPE_SECRET_KEY: 'sk_live_…', STRIPE_WEBHOOK_SECRET: 'whsec_…' } as const;

interface Given {
  readonly ONRAMP_PROVIDER?: 'sandbox' | 'stripe' | undefined;
  readonly STRIPE_SECRET_KEY?: string | undefined;
  readonly STRIPE_WEBHOOK_SECRET?: string | undefined;
  readonly STRIPE_API_URL?: string | undefined;
}

/**
 * The card provider of these variables, for these chains; null if there is none. Faults are added to `faults`: the
 * sandbox mints test tokens and works only on local chains; Stripe needs its secrets and at least one chain that it
 * delivers to.
 */
export function readOnramp(given: Given, chainIds: readonly number[], faults: string[]): OnrampConfig | null {
  const local = chainIds.every(isLocalChain);
  const provider = given.ONRAMP_PROVIDER ?? (local ? 'sandbox' : null);
  if (provider === null) return null;
  if (provider === 'sandbox') {
    if (local) return { provider };
    faults.push(
      `ONRAMP_PROVIDER: sandbox works on the local chain only, not on chain ${chainIds.join(', ')} ` +
        '(for example ONRAMP_PROVIDER=stripe, or leave it unset)',
    );
    return null;
  }
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = given;
  for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'] as const) {
    if (given[name] === undefined)
      faults.push(`${name}: must be set for ONRAMP_PROVIDER=stripe (for example ${name}=${EXAMPLES[name]})`);
  }
  if (secretKey === undefined || webhookSecret === undefined) return null;
  const inTestMode = /^[a-z]+_test_/.test(secretKey);
  const known = inTestMode ? TEST_NETWORKS : NETWORKS;
  const networks = new Map(chainIds.flatMap((id) => (known[id] ? [[id, known[id]] as const] : [])));
  if (networks.size === 0) {
    const chains = Object.keys(NETWORKS).join(', ');
    faults.push(
      `ONRAMP_PROVIDER: stripe delivers USDC on chains ${chains}, not on chain ${chainIds.join(', ')} ` +
        '(for example CHAIN_ID=8453, or a key that begins with sk_test_ on a test chain)',
    );
    return null;
  }
  return { provider, secretKey, webhookSecret, apiUrl: given.STRIPE_API_URL ?? STRIPE_API_URL, networks };
}

/** Whether the card provider delivers on a chain. */
export const deliversTo = (onramp: OnrampConfig | null, chainId: number): boolean =>
  onramp?.provider === 'stripe' ? onramp.networks.has(chainId) : onramp !== null && isLocalChain(chainId);
