import type { ContractSection } from './section.ts';

export const receipts: ContractSection = {
  name: 'receipts',
  title: 'Receipts',
  lines: {
    id: '`id`: required, chosen by the caller, unique',
    'legacy-lines': '`lineItems`: required; `{label, priceUsd}` in the older format',
    'native-lines': '`lineItems`: `{label, amount, qty?}` in the native format',
    currency: '`currency` of native fields: `USD` (default) or `EUR`, in any letter case',
    amount: '`lineItems[].amount`: the extended amount; `qty` is not multiplied again; discounts may be negative',
    total: '`total`: the sum of the lines; it must match if it is given',
    'total-usd': '`totalUsd` belongs to `priceUsd` lines, and is refused with native amounts',
    'mixed-formats': 'The formats must not be mixed: 400',
    'two-decimals': 'A native amount is a finite number with at most two decimals',
    'one-currency': 'One currency for the whole receipt; an unsupported one is 400',
    'redirect-url': '`redirect_url`: https, passed only to the onramp session; also under an alias',
    'webhook-url': '`webhook_url`: receives status changes, signed with the caller’s key; also under an alias',
    options: 'The optional parameters of orders, each with its aliases',
    created: '`POST /api/receipts`, scope `receipts:write`: 201 `{ id, paymentUrl, status, redirectUrl, webhookUrl }`',
    'created-pending': 'Its `status` is `pending`',
    'payment-url':
      '`paymentUrl`: `{base_url}/portal/<receipt_id>` with `recipient`, and an encoded `redirect_url` if one was given',
    echo: '`redirectUrl` and `webhookUrl` are the values sent',
    'create-invalid': '`POST /api/receipts`, invalid: 400 `invalid_input`; totals that do not match: 400',
    'create-no-rate': '`POST /api/receipts` without an exchange rate: 503, and no receipt',
    'create-refused': '`POST /api/receipts`: 401, 403, 429 and 500 as on every route',
    record:
      '`GET /api/receipts/{id}`, scope `receipts:read`: 200, `receiptId, totalUsd, currency, lineItems {label, priceUsd}, createdAt, brandName, status`',
    'record-tax': 'The record’s `jurisdictionCode`, `taxRate`, `taxComponents`',
    'record-transaction': 'The record’s `transactionHash` and `transactionTimestamp` (milliseconds)',
    'record-billing':
      'The record’s `billingAddress`: `firstName, lastName, phone, email, line1, line2, city, state, zip, country`, all strings',
    'record-unknown': '`GET /api/receipts/{id}`, unknown: 404 `not_found`, with a message about the receipt',
    list: '`GET /api/receipts`, scope `receipts:read`: 200 `{ receipts }`',
    'list-fields': 'A list item: `receiptId, totalUsd, currency, lineItems, createdAt, brandName, status`',
    'list-limit': '`limit`: 1 to 200, default 100',
    'list-degraded': 'Database unavailable: `{ receipts, degraded: true, reason }`',
    status:
      '`GET /api/receipts/status?receiptId=`, scope `receipts:read`: 200 `id, status, transactionHash, currency, amount`',
    'status-hash': '`transactionHash`: string or null',
    'status-amount': '`currency` is the token and `amount` the amount in that token',
    'status-failed':
      'A failed payment is also 200, and only then with `failureCode, failureCategory, failureReason, failureAction`',
    'status-required': '`receiptId` is required',
    'status-unknown': 'An unknown receipt: 404 `not_found`',
    'report-open':
      '`POST /api/receipts/status` `{receiptId, wallet, status}`, tracking statuses with a key: 200 `{ ok: true }`',
    'report-sensitive':
      '`checkout_success` and `refund_…` need the session and its CSRF token; a key is 403 `forbidden`',
    'report-codes': '400 `missing_receipt_id`, `invalid_wallet`, `missing_status`',
    'report-correlation': '`POST /api/receipts/status` carries `x-correlation-id`',
  },
};
