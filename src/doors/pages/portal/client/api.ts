import type { FailureCode } from '../../../../domain/sales/receipts/failures.ts';
import type { ReceiptStatus } from '../../../../domain/sales/receipts/lifecycle.ts';
import { ApiError, askOne, type Operation } from '../../client/graphql.ts';
import { refusalText } from '../../client/refusal-text.ts';
import * as operations from '../../generated/portal.ts';
import type { PortalPage } from './view.ts';

/** The receipt as the API returns it while the page is open. */
export type ReceiptNews = operations.PortalReceiptQuery['receipt'] & { readonly status: ReceiptStatus };

/** The token and chain of a choice: `USDC`, or `USDC@10`. */
function chosen(tokenId: string) {
  const [token = '', chainId] = tokenId.split('@');
  return { token, chainId: chainId ? Number(chainId) : null };
}

/** The operations of the payment page, for one receipt. */
export type PortalApi = ReturnType<typeof createApi>;

/** The page's operations for one receipt. A read-only page sends no reports, because its token does not permit them. */
export function createApi(url: string, receiptId: string, readOnly: boolean) {
  const reported = new Set<string>();
  const askHere = <Result extends object, Variables extends { id: unknown }>(
    operation: Operation<Result, Variables>,
    more: Omit<Variables, 'id'>,
  ) => askOne(url, operation, { id: receiptId, ...more } as Variables);
  return {
    /** Sends an operation about this receipt, for the parts of the page that are loaded on demand. */
    ask: askHere,
    chosen,
    readReceipt: () => askHere(operations.PortalReceipt, {}) as Promise<ReceiptNews>,
    quotePayment: (tokenId: string) => askHere(operations.PortalQuote, chosen(tokenId)),
    renewQuote: (tokenId: string) => askHere(operations.PortalRenewQuote, chosen(tokenId)),
    /** The fields for the shop's script: only what this page shows, nothing about the buyer. */
    readPublicFields: () => askHere(operations.PortalPublic, {}),
    setBuyerEmail: (email: string) => askHere(operations.PortalEmail, { email }),
    submitTransaction: (transactionHash: string) => askHere(operations.PortalSubmit, { transactionHash }),
    payWithTestWallet: async (tokenId: string) =>
      (await askHere(operations.PortalTestPay, chosen(tokenId))).transactionHash,
    renewReceipt: () => askHere(operations.PortalRenew, {}),
    /** Opens the card checkout. Without a URL, the receipt contains the reason. */
    startCardCheckout: () => askHere(operations.PortalCard, {}),
    /** Reports that the buyer's attempt failed in the wallet. Errors of the report are ignored. */
    reportFailure: async (code: FailureCode) => {
      if (readOnly) return;
      await askHere(operations.PortalFailure, { code }).catch(() => undefined);
    },
    /** Reports the buyer's progress to the merchant, each status once per page. Errors of the report are ignored. */
    reportTracking: async (status: 'link_opened' | 'buyer_logged_in' | 'checkout_initialized') => {
      if (readOnly || reported.has(status)) return;
      reported.add(status);
      await askHere(operations.PortalTracking, { status }).catch(() => undefined);
    },
  };
}

/** What the page says for the codes of the API. A request may be repeated after one of the others. */
const SAID = {
  receipt_ended: 'now.ended',
  payment_underway: 'not.payment_underway',
  authorization_refused: 'not.signed',
  authorization_used: 'not.signed',
  gasless_unavailable: 'not.signed',
} as const;

/** The buyer's message for an error of `PortalApi`, in the language of the page. */
export function problemText({ say, sayWallet }: PortalPage, error: unknown): string {
  if (!(error instanceof ApiError)) return sayWallet('unreachable');
  const { code } = error;
  if (code in SAID) return say(SAID[code as keyof typeof SAID]);
  return refusalText(sayWallet, code);
}
