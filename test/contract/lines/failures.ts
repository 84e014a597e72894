import type { ContractSection } from './section.ts';

export const failures: ContractSection = {
  name: 'failures',
  title: 'Payment failures',
  lines: {
    reported: 'Each has category, reason and action, in the status endpoint and in failed webhooks',
    'card-decline':
      '`card_decline`: `PORTAL_PAY_INSUFFICIENT_FUNDS`, `…_CARD_DECLINED`, `…_EXPIRED_CARD`, `…_INCORRECT_CVC`, `…_INCORRECT_NUMBER`, `…_DO_NOT_HONOR`, `…_FRAUD_BLOCKED`, `…_3DS_FAILED`, `…_BANK_INSTITUTION_BLOCK`',
    compliance:
      '`compliance`: `PORTAL_KYC_REQUIRED`, `…_STEP_UP_REQUIRED`, `…_DOC_REQUIRED`, `…_DOC_UNREADABLE`, `…_DOB_MISMATCH`, `…_SANCTIONS_BLOCKED`, `…_UNDERAGE`, `PORTAL_REGION_UNSUPPORTED`',
    limits: '`limits`: `PORTAL_LIMIT_EXCEEDED`, `…_AMOUNT_ABOVE_MAX`, `…_AMOUNT_BELOW_MIN`',
    blockchain:
      '`blockchain`: `PORTAL_CHAIN_INSUFFICIENT_BALANCE`, `…_USER_REJECTED`, `…_SLIPPAGE_EXCEEDED`, `…_TX_REVERTED`, `…_WALLET_MISMATCH`',
    session: '`session`: `PORTAL_SESSION_ABANDONED`, `…_EXPIRED`, `…_CANCELLED`',
    system: '`system`: a network timeout or a processing error',
  },
};
