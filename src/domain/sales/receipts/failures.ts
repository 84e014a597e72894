import type { Failure } from '../../../base/core/events.ts';
import { builder, throughParent } from '../../../base/graphql/builder.ts';
import { RECEIPT_PAGES } from '../../../base/graphql/page-fields.ts';
import { vocabulary } from '../../../base/graphql/vocabulary.ts';

export type FailureCategory = 'card_decline' | 'compliance' | 'limits' | 'blockchain' | 'session' | 'system';

/** Category, reason for people, and what the merchant can do about it, by code. */
const catalogue = {
  PORTAL_PAY_INSUFFICIENT_FUNDS: [
    'card_decline',
    'The card has insufficient funds.',
    'Ask the buyer to use another card or pay from a wallet.',
  ],
  PORTAL_PAY_CARD_DECLINED: [
    'card_decline',
    'The card was declined by its issuer.',
    'Ask the buyer to use another card or to call the issuer.',
  ],
  PORTAL_PAY_EXPIRED_CARD: ['card_decline', 'The card has expired.', 'Ask the buyer to use a card that is valid.'],
  PORTAL_PAY_INCORRECT_CVC: [
    'card_decline',
    'The security code is wrong.',
    'Ask the buyer to enter the security code again.',
  ],
  PORTAL_PAY_INCORRECT_NUMBER: [
    'card_decline',
    'The card number is invalid.',
    'Ask the buyer to enter the card number again.',
  ],
  PORTAL_PAY_DO_NOT_HONOR: [
    'card_decline',
    'The bank declined the payment.',
    'Ask the buyer to call the bank or use another card.',
  ],
  PORTAL_PAY_FRAUD_BLOCKED: [
    'card_decline',
    'The payment was blocked by risk screening.',
    'Ask the buyer to use another way to pay.',
  ],
  PORTAL_PAY_3DS_FAILED: [
    'card_decline',
    '3D Secure failed or was cancelled.',
    'Ask the buyer to try again and complete the 3D Secure step.',
  ],
  PORTAL_PAY_BANK_INSTITUTION_BLOCK: [
    'card_decline',
    "The bank's policy blocks purchases of digital assets.",
    'Ask the buyer to use a card of another bank or pay from a wallet.',
  ],
  PORTAL_KYC_REQUIRED: [
    'compliance',
    'Identity (name and address) is needed.',
    'Ask the buyer to complete the identity step.',
  ],
  PORTAL_KYC_STEP_UP_REQUIRED: [
    'compliance',
    'Date of birth and tax ID are needed.',
    'Ask the buyer to complete the second identity step.',
  ],
  PORTAL_KYC_DOC_REQUIRED: [
    'compliance',
    'A document and a selfie are needed.',
    'Ask the buyer to upload the document and the selfie.',
  ],
  PORTAL_KYC_DOC_UNREADABLE: [
    'compliance',
    'The document is unreadable, blurry or expired.',
    'Ask the buyer to upload a clear picture of a valid document.',
  ],
  PORTAL_KYC_DOB_MISMATCH: [
    'compliance',
    'The date of birth does not match the records.',
    'Ask the buyer to check the date of birth.',
  ],
  PORTAL_KYC_SANCTIONS_BLOCKED: [
    'compliance',
    'The buyer matched a sanctions or anti-money-laundering list.',
    'This payment cannot be processed; do not retry it.',
  ],
  PORTAL_KYC_UNDERAGE: [
    'compliance',
    'The buyer is below the minimum age of 18.',
    'This payment cannot be processed; do not retry it.',
  ],
  PORTAL_REGION_UNSUPPORTED: [
    'compliance',
    'The buyer is in an unsupported jurisdiction.',
    'Ask the buyer to pay from a wallet instead.',
  ],
  PORTAL_LIMIT_EXCEEDED: [
    'limits',
    "The total exceeds the buyer's verification limit.",
    'Ask the buyer to verify further or to pay a smaller amount.',
  ],
  PORTAL_LIMIT_AMOUNT_ABOVE_MAX: [
    'limits',
    'The amount is above the single-transaction maximum.',
    'Split the order or ask the buyer to pay from a wallet.',
  ],
  PORTAL_LIMIT_AMOUNT_BELOW_MIN: [
    'limits',
    'The amount is below the minimum.',
    'Ask the buyer to pay from a wallet instead.',
  ],
  PORTAL_CHAIN_INSUFFICIENT_BALANCE: [
    'blockchain',
    'The wallet lacks tokens or gas.',
    'Ask the buyer to fund the wallet and try again.',
  ],
  PORTAL_CHAIN_USER_REJECTED: [
    'blockchain',
    'The buyer rejected the request in the wallet.',
    'Ask the buyer to try again and confirm in the wallet.',
  ],
  PORTAL_CHAIN_SLIPPAGE_EXCEEDED: [
    'blockchain',
    'The rate moved beyond the tolerance.',
    'Ask the buyer to try again with a fresh quote.',
  ],
  PORTAL_CHAIN_TX_REVERTED: [
    'blockchain',
    'The payment transaction was reverted.',
    'Ask the buyer to try again; no money has moved.',
  ],
  PORTAL_CHAIN_WALLET_MISMATCH: [
    'blockchain',
    'The wallet could not prove that it is its owner.',
    'Ask the buyer to connect the wallet again.',
  ],
  PORTAL_SESSION_ABANDONED: ['session', 'The buyer closed the portal.', 'Send the payment link again.'],
  PORTAL_SESSION_EXPIRED: ['session', 'The session expired from inactivity.', 'Send the payment link again.'],
  PORTAL_SESSION_CANCELLED: [
    'session',
    'The buyer or the shop cancelled the payment.',
    'Ask the buyer whether to try again.',
  ],
  PORTAL_SYS_NETWORK_TIMEOUT: ['system', 'The payment network did not answer in time.', 'Try again in a few minutes.'],
  PORTAL_SYS_GENERIC_FAILURE: [
    'system',
    'The payment could not be processed.',
    'Try again, or ask the buyer to use another way to pay.',
  ],
} as const satisfies Record<string, readonly [FailureCategory, string, string]>;

export type FailureCode = keyof typeof catalogue;

/** The failure fields, with words of the catalogue. */
export interface PaymentFailure extends Failure {
  readonly failureCode: FailureCode;
  readonly failureCategory: FailureCategory;
}

/** The catalogue of failure codes, also used to generate the documentation. */
export const failureCatalogue: Readonly<
  Record<FailureCode, readonly [FailureCategory, reason: string, action: string]>
> = catalogue;

/** A stored code; the generic one for a code that the catalogue does not have. Null for none. */
export function failureCodeOf(stored: string | null): FailureCode | null {
  if (stored === null) return null;
  return Object.hasOwn(catalogue, stored) ? (stored as FailureCode) : 'PORTAL_SYS_GENERIC_FAILURE';
}

/** The four failure fields for a code; null for no code. */
export function failureOf(code: string | null): PaymentFailure | null {
  const failureCode = failureCodeOf(code);
  if (failureCode === null) return null;
  const [failureCategory, failureReason, failureAction] = catalogue[failureCode];
  return { failureCode, failureCategory, failureReason, failureAction };
}

export const FailureCodeEnum = vocabulary(
  'FailureCode',
  'Why a payment failed.',
  Object.fromEntries(Object.entries(failureCatalogue).map(([code, [, reason]]) => [code, reason])) as Record<
    FailureCode,
    string
  >,
);

const FailureCategoryEnum = vocabulary('FailureCategory', 'A group of failure codes.', {
  card_decline: 'The card was declined.',
  compliance: 'A check of the buyer’s identity or region failed.',
  limits: 'The amount is outside of a limit.',
  blockchain: 'The wallet or the transaction failed.',
  session: 'The buyer left, cancelled or waited too long.',
  system: 'The payment network failed.',
} satisfies Record<FailureCategory, string>);

export const FailureType = builder.objectRef<PaymentFailure>('PaymentFailure').implement({
  description: 'Why a payment failed.',
  pages: RECEIPT_PAGES,
  ...throughParent,
  fields: (t) => ({
    code: t.expose('failureCode', {
      type: FailureCodeEnum,
      description: 'The failure code, as in `PORTAL_CHAIN_TX_REVERTED`.',
    }),
    category: t.expose('failureCategory', {
      type: FailureCategoryEnum,
      description: 'The group of the code, as in `blockchain`.',
    }),
    reason: t.string({ description: 'The reason, for people.', resolve: (failure) => failure.failureReason }),
    action: t.string({ description: 'What the merchant can do.', resolve: (failure) => failure.failureAction }),
  }),
});
