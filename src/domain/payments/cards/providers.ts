import { keptBy } from '../../../base/core/kept.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { OnrampProvider } from './provider.ts';
import { sandboxProvider } from './sandbox.ts';

type ProviderDeps = Pick<Deps, 'log'> & { readonly settings: Pick<Deps['settings'], 'onramp' | 'baseUrl'> };

/** The configured card provider, created on first use; null if none is configured. */
export function cardProvider({ settings, log }: ProviderDeps): Promise<OnrampProvider | null> {
  const kept = providerOf(settings);
  kept.made ??= makeProvider({ settings, log });
  return kept.made;
}

const providerOf = keptBy('card provider', (_settings: object) => ({
  made: null as Promise<OnrampProvider | null> | null,
}));

async function makeProvider({ settings, log }: ProviderDeps): Promise<OnrampProvider | null> {
  const { onramp, baseUrl } = settings;
  if (onramp === null) return null;
  if (onramp.provider === 'sandbox') return sandboxProvider(baseUrl);
  // Stripe's package is large, and most servers never need it.
  const { stripeProvider } = await import('./stripe.ts');
  return stripeProvider(onramp, log);
}
