import type { FailureCode } from '../../sales/receipts/failures.ts';
import { WALLET_SOURCES, type WalletSources } from './wallet-failures.ts';

/**
 * Maps the errors of providers and wallets to failure codes. Card words are Stripe's: decline codes
 * (docs.stripe.com/declines/codes), error codes of the onramp API (docs.stripe.com/crypto/onramp/api-reference), values
 * of a session's `last_error`, and codes of identity checks. Wallet errors are those of EIP-1193 and JSON-RPC: error
 * numbers, or texts in a message.
 */
interface Sources extends WalletSources {
  /** Exact words of a card provider. */
  readonly card?: readonly string[];
  /** The source of a code that neither a provider nor a wallet reports. */
  readonly by?: string;
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

export const FAILURE_SOURCES: Readonly<Record<FailureCode, Sources>> = {
  PORTAL_PAY_INSUFFICIENT_FUNDS: { card: words('insufficient_funds') },
  PORTAL_PAY_CARD_DECLINED: {
    card: words(`card_declined generic_decline call_issuer card_not_supported currency_not_supported approve_with_id do_not_try_again
      duplicate_transaction incorrect_address incorrect_pin incorrect_zip invalid_account invalid_amount invalid_pin lost_card
      new_account_information_available no_action_taken not_permitted offline_pin_required online_or_offline_pin_required pickup_card
      pin_try_exceeded reenter_transaction restricted_card revocation_of_all_authorizations revocation_of_authorization stolen_card
      stop_payment_order testmode_decline try_again_later crypto_onramp_invalid_payment_method invalid_payment_method`),
  },
  PORTAL_PAY_EXPIRED_CARD: { card: words('expired_card invalid_expiry_month invalid_expiry_year') },
  PORTAL_PAY_INCORRECT_CVC: { card: words('incorrect_cvc invalid_cvc') },
  PORTAL_PAY_INCORRECT_NUMBER: { card: words('incorrect_number invalid_number') },
  PORTAL_PAY_DO_NOT_HONOR: { card: words('do_not_honor') },
  PORTAL_PAY_FRAUD_BLOCKED: {
    card: words(`fraudulent merchant_blacklist security_violation highest_risk_level elevated_risk_level crypto_onramp_transaction_blocked
      transaction_blocked rejected`),
  },
  PORTAL_PAY_3DS_FAILED: {
    card: words(`authentication_required authentication_not_handled mobile_device_authentication_required payment_intent_authentication_failure
      payment_method_authentication_failed setup_intent_authentication_failure`),
  },
  PORTAL_PAY_BANK_INSTITUTION_BLOCK: {
    card: words(
      'crypto_onramp_bank_institution_block bank_institution_block service_not_allowed transaction_not_allowed',
    ),
  },
  PORTAL_KYC_REQUIRED: {
    card: words('crypto_onramp_missing_minimum_identity_verification missing_minimum_identity_verification'),
  },
  PORTAL_KYC_STEP_UP_REQUIRED: {
    card: words(`crypto_onramp_missing_identity_verification missing_identity_verification missing_kyc crypto_onramp_missing_kyc
      crypto_onramp_missing_tax_attestation`),
  },
  PORTAL_KYC_DOC_REQUIRED: {
    card: words('crypto_onramp_missing_document_verification missing_document_verification'),
  },
  PORTAL_KYC_DOC_UNREADABLE: {
    card: words(`document_expired document_type_not_supported document_unverified_other selfie_unverified_other selfie_face_mismatch
      selfie_document_missing_photo verification_document_expired verification_document_not_readable verification_document_too_blurry`),
  },
  PORTAL_KYC_DOB_MISMATCH: {
    card: words(
      'verification_document_dob_mismatch id_number_mismatch id_number_unverified_other verification_failed_keyed_match',
    ),
  },
  PORTAL_KYC_SANCTIONS_BLOCKED: {
    card: words('rejected.listed listed sanctions_match crypto_onramp_identity_verification_failed'),
  },
  PORTAL_KYC_UNDERAGE: { card: words('under_supported_age underage') },
  PORTAL_REGION_UNSUPPORTED: {
    card: words(`crypto_onramp_unsupportable_customer crypto_onramp_unsupported_country crypto_onramp_unsupported_region
      crypto_onramp_currency_not_available_in_region location_not_supported country_not_supported country_unsupported`),
  },
  PORTAL_LIMIT_EXCEEDED: {
    card: words(
      `crypto_onramp_limit_exceeded transaction_limit_reached card_velocity_exceeded withdrawal_count_limit_exceeded`,
    ),
  },
  PORTAL_LIMIT_AMOUNT_ABOVE_MAX: { card: words('crypto_onramp_amount_above_maximum amount_too_large') },
  PORTAL_LIMIT_AMOUNT_BELOW_MIN: { card: words('crypto_onramp_amount_below_minimum amount_too_small') },
  PORTAL_CHAIN_INSUFFICIENT_BALANCE: WALLET_SOURCES.PORTAL_CHAIN_INSUFFICIENT_BALANCE,
  PORTAL_CHAIN_USER_REJECTED: WALLET_SOURCES.PORTAL_CHAIN_USER_REJECTED,
  PORTAL_CHAIN_SLIPPAGE_EXCEEDED: {
    ...WALLET_SOURCES.PORTAL_CHAIN_SLIPPAGE_EXCEEDED,
    card: words(`quote_rate_drifted crypto_onramp_quote_rate_drifted charged_with_expired_quote crypto_onramp_charged_with_expired_quote
      crypto_onramp_quote_expired`),
  },
  PORTAL_CHAIN_TX_REVERTED: {
    ...WALLET_SOURCES.PORTAL_CHAIN_TX_REVERTED,
    by: 'the watcher, for a reverted payment',
  },
  PORTAL_CHAIN_WALLET_MISMATCH: {
    ...WALLET_SOURCES.PORTAL_CHAIN_WALLET_MISMATCH,
    card: words(`invalid_wallet_ownership_challenge invalid_wallet_ownership_signature wallet_ownership_challenge_expired
      crypto_onramp_wallet_address_invalid`),
  },
  PORTAL_SESSION_ABANDONED: { by: 'the server, for an untouched checkout' },
  PORTAL_SESSION_EXPIRED: { card: words('session_expired'), by: 'the server, for an unfinished checkout' },
  PORTAL_SESSION_CANCELLED: { card: words('canceled cancelled user_canceled user_cancelled') },
  PORTAL_SYS_NETWORK_TIMEOUT: {
    card: words('issuer_not_available lock_timeout timeout crypto_onramp_service_error zerohash_api_error'),
  },
  PORTAL_SYS_GENERIC_FAILURE: {
    card: words(`processing_error transaction_failed api_error crypto_onramp_disabled crypto_onramp_session_error
      crypto_onramp_merchant_not_properly_setup crypto_onramp_unsupported crypto_onramp_verification_error`),
  },
};

const entries = Object.entries(FAILURE_SOURCES) as [FailureCode, Sources][];
const byCardWord = new Map(entries.flatMap(([code, { card = [] }]) => card.map((word) => [word, code] as const)));

/**
 * The failure code for a card provider's words, given in order of precision (a bank's decline code before
 * `card_declined`). An unknown word is a generic failure.
 */
export function cardFailure(...said: readonly (string | null | undefined)[]): FailureCode {
  for (const word of said) {
    const code = word && byCardWord.get(word);
    if (code) return code;
  }
  return 'PORTAL_SYS_GENERIC_FAILURE';
}
