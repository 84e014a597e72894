const keyOf = (planId: string, wallet: string): string => `subscription:${planId}:${wallet.toLowerCase()}`;

/** The subscription that this browser made for the wallet; null where it made none, or forgets everything. */
export function remembered(planId: string, wallet: string): string | null {
  try {
    return localStorage.getItem(keyOf(planId, wallet));
  } catch {
    return null;
  }
}

/** Keeps a subscription's id in this browser and in the page's address, so that the customer finds it again. */
export function remember(planId: string, wallet: string, subscriptionId: string): void {
  history.replaceState(null, '', `?subscription=${encodeURIComponent(subscriptionId)}`);
  try {
    localStorage.setItem(keyOf(planId, wallet), subscriptionId);
  } catch {
    // The address is enough.
  }
}
