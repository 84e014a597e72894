const keyOf = (planId: string, wallet: string): string => `subscription:${planId}:${wallet.toLowerCase()}`;

/** The subscription that this browser created for the wallet; null if there is none or no storage. */
export function remembered(planId: string, wallet: string): string | null {
  try {
    return localStorage.getItem(keyOf(planId, wallet));
  } catch {
    return null;
  }
}

/** Stores a subscription's id in this browser and in the page's URL, so that the customer finds it again. */
export function remember(planId: string, wallet: string, subscriptionId: string): void {
  const query = new URLSearchParams(location.search);
  query.set('subscription', subscriptionId);
  history.replaceState(null, '', `?${query}`);
  try {
    localStorage.setItem(keyOf(planId, wallet), subscriptionId);
  } catch {
    // Without storage, the URL is enough.
  }
}
