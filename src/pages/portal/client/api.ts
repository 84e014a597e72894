import type { FailureCode } from '../../../receipts/failures.ts';
import type { ReceiptStatus } from '../../../receipts/lifecycle.ts';
import { askOne } from '../../client/ask-one.ts';
import { ask } from '../../client/graphql.ts';
import * as operations from '../../generated/portal.ts';

/** The receipt as the API returns it while the page is open. */
export type ReceiptNews = operations.PortalReceiptQuery['receipt'] & { readonly status: ReceiptStatus };

/** The operations of the payment page, for one receipt. */
export type PortalApi = ReturnType<typeof createApi>;

/** The page's operations for one receipt. A read-only page sends no reports, because its token does not permit them. */
export function createApi(url: string, receiptId: string, readOnly: boolean) {
  const reported = new Set<string>();
  return {
    readReceipt: () => askOne(url, operations.PortalReceipt, { receiptId }) as Promise<ReceiptNews>,
    /** The payments that the buyer is asked about. A read-only page asks nothing. */
    readUnclaimed: async () =>
      readOnly ? [] : (await askOne(url, operations.PortalUnclaimed, { receiptId })).unclaimedPayments,
    quotePayment: (token: string) => askOne(url, operations.PortalQuote, { receiptId, token }),
    renewQuote: (token: string) => askOne(url, operations.PortalRenewQuote, { receiptId, token }),
    /** The fields for the shop's script: only what this page shows, nothing about the buyer. */
    readPublicFields: () => askOne(url, operations.PortalPublic, { receiptId }),
    setBuyerEmail: (email: string) => ask(url, operations.PortalEmail, { receiptId, email }),
    submitTransaction: (transactionHash: string) => ask(url, operations.PortalSubmit, { receiptId, transactionHash }),
    payWithTestWallet: async (token: string) =>
      (await askOne(url, operations.PortalTestPay, { receiptId, token })).transactionHash,
    renewReceipt: () => askOne(url, operations.PortalRenew, { receiptId }),
    /** Opens the card checkout. Without a URL, the receipt contains the reason. */
    startCardCheckout: () => askOne(url, operations.PortalCard, { receiptId }),
    /** Reports that the buyer's attempt failed in the wallet. Errors of the report are ignored. */
    reportFailure: async (code: FailureCode) => {
      if (readOnly) return;
      await ask(url, operations.PortalFailure, { receiptId, code }).catch(() => undefined);
    },
    /** Reports the buyer's progress to the merchant, each status once per page. Errors of the report are ignored. */
    reportTracking: async (status: 'link_opened' | 'buyer_logged_in' | 'checkout_initialized') => {
      if (readOnly || reported.has(status)) return;
      reported.add(status);
      await ask(url, operations.PortalTracking, { receiptId, status }).catch(() => undefined);
    },
  };
}
