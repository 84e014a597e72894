import type { ContractSection } from './section.ts';

export const refund: ContractSection = {
  name: 'refund',
  title: 'Refunds',
  lines: {
    success: '`POST /api/receipts/refund`, admin: `{receiptId, wallet, buyer, usd, items, txHash}`: 200 `{ ok: true }`',
    items: '`items`: `{label, priceUsd, qty}`',
    history: 'It is stored as a refund and appears in the status history',
    codes: '400 `missing_receipt_id`, `invalid_wallet`, `invalid_buyer`, `invalid_usd`',
    refused: 'A key cannot refund: 403; 429 and 500 as on every route',
    correlation: '`POST /api/receipts/refund` carries `x-correlation-id`',
  },
};
