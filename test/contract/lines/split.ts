import type { ContractSection } from './section.ts';

export const split: ContractSection = {
  name: 'split',
  title: 'Split',
  lines: {
    read: '`GET /api/split/deploy`, scope `split:read`: 200 `{ split: { address, recipients } }`',
    'not-configured': 'Not configured: 200, `address` null and `recipients` empty',
    recipients: '`recipients`: `{address, sharesBps}`; 10000 is 100 %',
    write: '`POST /api/split/deploy`, admin: `{ splitAddress?, recipients? }`: 200 `{ ok: true, split }`',
    'write-recipient': 'A recipient needs both `address` and `sharesBps`',
    'write-idempotent': 'A repeated call answers the existing split, with `idempotent: true`',
    'write-admin': 'A developer key cannot write a split',
    'write-invalid': 'Invalid recipients: 400 `invalid_input`',
    transactions: '`GET /api/split/transactions`, scope `split:read`: 200, an array',
    'transaction-fields':
      'A transaction: `id, receiptId, amount, currency, status, timestamp (ISO 8601), transactionHash, fees`',
    'transactions-address': '`address` filters by recipient or split',
    withdraw: '`POST /api/split/withdraw`: 410 `{ error: deprecated, reason: use_connected_wallet, message }`',
    'withdraw-correlation': '`POST /api/split/withdraw` carries `x-correlation-id`',
    failed: '500 `failed`, with a `message`',
  },
};
