import type { FailureCode } from '../../../domain/sales/receipts/failures.ts';

/** The buyer's message for each failure code. The API's reasons and actions are for the shop. */
const WORDS: Readonly<Record<FailureCode, string>> = {
  PORTAL_PAY_INSUFFICIENT_FUNDS: 'There is not enough money on the card.',
  PORTAL_PAY_CARD_DECLINED: 'The bank declined the card.',
  PORTAL_PAY_EXPIRED_CARD: 'The card has expired.',
  PORTAL_PAY_INCORRECT_CVC: 'The security code of the card is wrong.',
  PORTAL_PAY_INCORRECT_NUMBER: 'The card number is wrong.',
  PORTAL_PAY_DO_NOT_HONOR: 'The bank declined the payment.',
  PORTAL_PAY_FRAUD_BLOCKED: 'The card provider blocked the payment.',
  PORTAL_PAY_3DS_FAILED: 'Your bank could not confirm that it is you.',
  PORTAL_PAY_BANK_INSTITUTION_BLOCK: 'Your bank does not allow this kind of payment.',
  PORTAL_KYC_REQUIRED: 'The card provider needs your name and address.',
  PORTAL_KYC_STEP_UP_REQUIRED: 'The card provider needs your date of birth and tax number.',
  PORTAL_KYC_DOC_REQUIRED: 'The card provider needs an identity document and a selfie.',
  PORTAL_KYC_DOC_UNREADABLE: 'The card provider could not read the identity document.',
  PORTAL_KYC_DOB_MISMATCH: 'The date of birth does not match the records of the card provider.',
  PORTAL_KYC_SANCTIONS_BLOCKED: 'The card provider cannot process this payment.',
  PORTAL_KYC_UNDERAGE: 'The card provider takes payments only from people aged 18 or older.',
  PORTAL_REGION_UNSUPPORTED: 'The card provider does not serve your region.',
  PORTAL_LIMIT_EXCEEDED: 'The amount is above your limit at the card provider.',
  PORTAL_LIMIT_AMOUNT_ABOVE_MAX: 'The amount is too high for a card payment.',
  PORTAL_LIMIT_AMOUNT_BELOW_MIN: 'The amount is too low for a card payment.',
  PORTAL_CHAIN_INSUFFICIENT_BALANCE: 'There is not enough in the wallet for the amount and the network fee.',
  PORTAL_CHAIN_USER_REJECTED: 'You declined the request in your wallet.',
  PORTAL_CHAIN_SLIPPAGE_EXCEEDED: 'The price changed too much in the meantime.',
  PORTAL_CHAIN_TX_REVERTED: 'The network did not accept the payment. No money was taken, except the network fee.',
  PORTAL_CHAIN_WALLET_MISMATCH: 'The wallet could not confirm its account.',
  PORTAL_SESSION_ABANDONED: 'The payment was not finished.',
  PORTAL_SESSION_EXPIRED: 'The payment took too long.',
  PORTAL_SESSION_CANCELLED: 'The payment was cancelled.',
  PORTAL_SYS_NETWORK_TIMEOUT: 'The payment network did not answer in time.',
  PORTAL_SYS_GENERIC_FAILURE: 'Something went wrong on the way.',
};

/** The buyer's message for a failure code; a general one for an unknown code. */
export const failureWords = (code: string): string =>
  Object.hasOwn(WORDS, code) ? WORDS[code as FailureCode] : WORDS.PORTAL_SYS_GENERIC_FAILURE;
