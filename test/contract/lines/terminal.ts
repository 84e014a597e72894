import type { ContractSection } from './section.ts';

export const terminal: ContractSection = {
  name: 'terminal',
  title: 'Terminal receipts',
  lines: {
    success:
      '`POST /api/receipts/terminal`, admin: `{amountUsd, label, currency, jurisdictionCode, taxRate, taxComponents}`: 200 `{ ok: true, receipt }`',
    generated: 'Its `status` is `generated`',
    native: 'The native form: `amount`, `currency`, `taxRate`',
    wallet: 'A wallet header may name the merchant',
    'wallet-required': 'No merchant: 400 `wallet_required`',
    'invalid-amount': 'Missing or invalid amount: 400 `invalid_amount`',
    'split-required': 'No split: 403 `split_required`',
    refused: 'A key cannot create terminal receipts: 403; 401, 429 and 500 as on every route',
    correlation: '`POST /api/receipts/terminal` carries `x-correlation-id`',
    check: '`GET /api/terminal/check-payment` reports to a terminal whether a receipt is paid',
  },
};
