import { askOne } from '../../client/ask-one.ts';
import { ask } from '../../client/graphql.ts';
import type { PortalFailure, PortalMissing, PortalPaid, PortalQuote, PortalStatus } from '../view.ts';

/** The receipt as the API returns it while the page is open. */
export interface ReceiptNews {
  receiptId: string;
  status: PortalStatus;
  seq: number;
  transactionHash: string | null;
  confirmations: number | null;
  confirmationsNeeded: number | null;
  missing: PortalMissing | null;
  paid: PortalPaid | null;
  failure: PortalFailure | null;
  cardSession: { status: string } | null;
}

/** The card checkout. Without a URL, the receipt contains the reason. */
export interface CardCheckout {
  url: string | null;
  opensInNewTab: boolean;
}

export type FreshQuote = PortalQuote & { qr: string };

/** The page's operations for one receipt. A read-only page sends no reports, because its token does not permit them. */
export function createApi(url: string, receiptId: string, readOnly: boolean) {
  const reported = new Set<string>();
  return {
    readReceipt: () =>
      askOne<ReceiptNews>(
        url,
        'query PortalReceipt($receiptId: ID!) { receipt(receiptId: $receiptId) { receiptId status seq transactionHash confirmations confirmationsNeeded missing { token amount display } paid { token display } failure { code } cardSession { status } } }',
        { receiptId },
      ),
    quotePayment: (token: string) =>
      askOne<FreshQuote>(
        url,
        'mutation PortalQuote($receiptId: ID!, $token: String!) { quotePayment(receiptId: $receiptId, token: $token) { token chainId amount payTo uri expiresAt decimals display qr } }',
        { receiptId, token },
      ),
    /** The fields for the shop's script: only what this page shows, nothing about the buyer. */
    readPublicFields: () =>
      askOne<Record<string, unknown>>(
        url,
        'query PortalPublic($receiptId: ID!) { receipt(receiptId: $receiptId) { receiptId status brandName totalUsd currency lineItems { label priceUsd qty } transactionId transactionHash transactionUrl createdAt } }',
        { receiptId },
      ),
    setBuyerEmail: (email: string) =>
      ask(
        url,
        'mutation PortalEmail($receiptId: ID!, $email: String!) { setBuyerEmail(receiptId: $receiptId, email: $email) { receiptId } }',
        { receiptId, email },
      ),
    submitTransaction: (transactionHash: string) =>
      ask(
        url,
        'mutation PortalSubmit($receiptId: ID!, $transactionHash: Hex!) { submitTransaction(receiptId: $receiptId, transactionHash: $transactionHash) { receiptId status } }',
        { receiptId, transactionHash },
      ),
    payWithTestWallet: async (token: string) =>
      (
        await askOne<{ transactionHash: string }>(
          url,
          'mutation PortalTestPay($receiptId: ID!, $token: String!) { payWithTestWallet(receiptId: $receiptId, token: $token) { transactionHash } }',
          { receiptId, token },
        )
      ).transactionHash,
    startCardCheckout: () =>
      askOne<CardCheckout>(
        url,
        'mutation PortalCard($receiptId: ID!) { startCardCheckout(receiptId: $receiptId) { url opensInNewTab } }',
        { receiptId },
      ),
    /** Reports that the buyer's attempt failed in the wallet. Errors of the report are ignored. */
    reportFailure: async (code: string) => {
      if (readOnly) return;
      await ask(
        url,
        'mutation PortalFailure($receiptId: ID!, $code: String!) { reportFailure(receiptId: $receiptId, code: $code) { receiptId status } }',
        { receiptId, code },
      ).catch(() => undefined);
    },
    /** Reports the buyer's progress to the merchant, each status once per page. Errors of the report are ignored. */
    reportTracking: async (status: 'link_opened' | 'buyer_logged_in' | 'checkout_initialized') => {
      if (readOnly || reported.has(status)) return;
      reported.add(status);
      await ask(
        url,
        'mutation PortalTracking($receiptId: ID!, $status: String!) { reportTracking(receiptId: $receiptId, status: $status) { receiptId status } }',
        { receiptId, status },
      ).catch(() => undefined);
    },
  };
}
