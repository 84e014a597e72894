import type { PortalReceipt } from './view.ts';

/** What goes along to the shop: enough to look the receipt up, nothing that proves or opens anything. */
type Told = Pick<PortalReceipt, 'returnUrl' | 'receiptId' | 'status' | 'transactionId'>;

/**
 * The shop's address as the buyer is led to it: as it was given, with `receiptId`, `status` and (where the order had one) `transactionId` at the end of
 * its query. A parameter that the shop's address has already stays the shop's; null where there is no address.
 */
export function successAddress({ returnUrl, receiptId, status, transactionId }: Told): string | null {
  if (returnUrl === null || !URL.canParse(returnUrl)) return null;
  const url = new URL(returnUrl);
  const told = Object.entries({ receiptId, status, transactionId }).flatMap(([name, value]) =>
    value === null || url.searchParams.has(name) ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  // Not by `searchParams`: that would write the shop's own query anew.
  const query = [url.search.slice(1), ...told].filter((part) => part !== '').join('&');
  url.search = query;
  return url.href;
}

/** The host that an address leads to, as the browser's address bar will show it: `shop.example`, `xn--…` for what only looks like letters. */
export const hostOf = (address: string): string => new URL(address).host;
