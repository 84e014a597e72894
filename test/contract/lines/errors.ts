import type { ContractSection } from './section.ts';

export const errors: ContractSection = {
  name: 'errors',
  title: 'Errors',
  lines: {
    form: '`{ "error": <code>, "message": <text> }`, with further fields by kind',
    unauthorized: '401 `unauthorized`: missing or invalid key; missing or expired session',
    forbidden: '403 `forbidden`: scope, action or policy',
    'split-required': '403 `split_required`: “Split contract not configured for this merchant”',
    'items-required': '400 `items_required`: “At least one item is required”',
    'item-not-found': '400 `inventory_item_not_found`: “Product not found in inventory”',
    'invalid-input': '400 `invalid_input`: missing fields, wrong types, values out of range',
    'platform-recipient': '400 `platform_recipient_not_configured`: the server has no platform recipient',
    'form-codes':
      '400 `missing_receipt_id`, `invalid_wallet`, `missing_status`, `invalid_buyer`, `invalid_usd`, `wallet_required`, `invalid_amount`',
    'not-found': '404 `not_found`: “Receipt not found”',
    'rate-limited': '429 `rate_limited` with `resetAt` in milliseconds',
    failed: '500 `failed`: unexpected errors',
    deprecated: '410 `deprecated`, reason `use_connected_wallet`',
    degraded: '200 with `degraded: true` and `reason: datastore_unavailable`; accepted data is stored and booked later',
    'exchange-rate': '503 without an exchange rate',
  },
};
