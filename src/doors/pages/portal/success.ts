import type { PortalReceipt } from './view.ts';

/** The parameters for the shop: enough to look the receipt up, but no proof and no credential. */
type Destination = Pick<PortalReceipt, 'returnUrl' | 'receiptId' | 'status' | 'transactionId'>;

/**
 * The shop's URL for the redirect: unchanged, with `receiptId`, `status` and (if the order has one) `transactionId`
 * appended to its query. A parameter that the URL already has keeps the shop's value. Null if there is no URL.
 */
export function successAddress({ returnUrl, receiptId, status, transactionId }: Destination): string | null {
  if (returnUrl === null || !URL.canParse(returnUrl)) return null;
  const url = new URL(returnUrl);
  const added = Object.entries({ receiptId, status, transactionId }).flatMap(([name, value]) =>
    value === null || url.searchParams.has(name) ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  // Not by `searchParams`: that would rewrite the shop's own query.
  const query = [url.search.slice(1), ...added].filter((part) => part !== '').join('&');
  url.search = query;
  return url.href;
}

/**
 * The host that an address leads to, as the browser's address bar will show it: `shop.example`, `xn--…` for what only
 * looks like letters.
 */
export const hostOf = (address: string): string => new URL(address).host;
