import type { PortalFailure, PortalMissing, PortalQuote, PortalStatus } from '../view.ts';

/** The receipt as the API tells it while the page is open. */
export interface ReceiptNews {
  receiptId: string;
  status: PortalStatus;
  seq: number;
  transactionHash: string | null;
  confirmations: number | null;
  confirmationsNeeded: number | null;
  missing: PortalMissing | null;
  failure: PortalFailure | null;
  cardSession: { status: string } | null;
}

/** Where the buyer pays by card; without an address the receipt tells why. */
export interface CardCheckout {
  url: string | null;
  opensInNewTab: boolean;
}

export type FreshQuote = PortalQuote & { qr: string };

interface GraphqlAnswer<Data> {
  data?: Data | null;
  errors?: { message: string; extensions?: { code?: string } }[];
}

/** A refusal of the API, with the contract's code where it gave one. */
export class ApiError extends Error {
  readonly code: string;
  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

function tokenIn(page: Document): string {
  return page.querySelector<HTMLMetaElement>('meta[name="page-token"]')?.content ?? '';
}

/** The page's token: all that the script may do, it may do with this. */
export function pageToken(): string {
  return tokenIn(document);
}

/** Fetches the page anew for a fresh token (they are short-lived, tabs are not); false where that did not help. */
async function renewToken(): Promise<boolean> {
  const answer = await fetch(location.href, { credentials: 'same-origin', cache: 'no-store' });
  if (!answer.ok) return false;
  const fresh = tokenIn(new DOMParser().parseFromString(await answer.text(), 'text/html'));
  const meta = document.querySelector<HTMLMetaElement>('meta[name="page-token"]');
  if (!fresh || !meta || fresh === meta.content) return false;
  meta.content = fresh;
  return true;
}

async function send<Data>(url: string, query: string, variables: object): Promise<GraphqlAnswer<Data>> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json, application/json',
      authorization: `Bearer ${pageToken()}`,
    },
    body: JSON.stringify({ query, variables }),
  });
  const body = (await answer.json().catch(() => ({}))) as GraphqlAnswer<Data>;
  if (answer.status === 401 && !body.errors) {
    return { errors: [{ message: 'This page has expired.', extensions: { code: 'unauthorized' } }] };
  }
  return body;
}

/** Sends one operation; a worn-out token is renewed once. Throws `ApiError`. */
async function ask<Data>(url: string, query: string, variables: object): Promise<Data> {
  let answer = await send<Data>(url, query, variables);
  if (answer.errors?.[0]?.extensions?.code === 'unauthorized' && (await renewToken())) {
    answer = await send<Data>(url, query, variables);
  }
  const [error] = answer.errors ?? [];
  if (error) throw new ApiError(error.message, error.extensions?.code ?? 'failed');
  if (!answer.data) throw new ApiError('The server gave no answer.', 'failed');
  return answer.data;
}

/** The operations of the page, for one receipt. */
export function createApi(url: string, receiptId: string) {
  const reported = new Set<string>();
  return {
    readReceipt: async () =>
      (
        await ask<{ receipt: ReceiptNews }>(
          url,
          'query PortalReceipt($receiptId: ID!) { receipt(receiptId: $receiptId) { receiptId status seq transactionHash confirmations confirmationsNeeded missing { token amount display } failure { code category reason action } cardSession { status } } }',
          { receiptId },
        )
      ).receipt,
    quotePayment: async (token: string) =>
      (
        await ask<{ quotePayment: FreshQuote }>(
          url,
          'mutation PortalQuote($receiptId: ID!, $token: String!) { quotePayment(receiptId: $receiptId, token: $token) { token chainId amount payTo uri expiresAt decimals display qr } }',
          { receiptId, token },
        )
      ).quotePayment,
    submitTransaction: (transactionHash: string) =>
      ask(
        url,
        'mutation PortalSubmit($receiptId: ID!, $transactionHash: Hex!) { submitTransaction(receiptId: $receiptId, transactionHash: $transactionHash) { receiptId status } }',
        { receiptId, transactionHash },
      ),
    payWithTestWallet: async (token: string) =>
      (
        await ask<{ payWithTestWallet: { transactionHash: string } }>(
          url,
          'mutation PortalTestPay($receiptId: ID!, $token: String!) { payWithTestWallet(receiptId: $receiptId, token: $token) { transactionHash } }',
          { receiptId, token },
        )
      ).payWithTestWallet.transactionHash,
    startCardCheckout: async () =>
      (
        await ask<{ startCardCheckout: CardCheckout }>(
          url,
          'mutation PortalCard($receiptId: ID!) { startCardCheckout(receiptId: $receiptId) { url opensInNewTab } }',
          { receiptId },
        )
      ).startCardCheckout,
    /** Says that the buyer's attempt has failed in the wallet. Never in the way: a report that fails is dropped. */
    reportFailure: async (code: string) => {
      await ask(
        url,
        'mutation PortalFailure($receiptId: ID!, $code: String!) { reportFailure(receiptId: $receiptId, code: $code) { receiptId status } }',
        { receiptId, code },
      ).catch(() => undefined);
    },
    /** Tells the merchant how far the buyer is, once a page. Never in the way: a report that fails is dropped. */
    reportTracking: async (status: 'link_opened' | 'buyer_logged_in' | 'checkout_initialized') => {
      if (reported.has(status)) return;
      reported.add(status);
      await ask(
        url,
        'mutation PortalTracking($receiptId: ID!, $status: String!) { reportTracking(receiptId: $receiptId, status: $status) { receiptId status } }',
        { receiptId, status },
      ).catch(() => undefined);
    },
  };
}
