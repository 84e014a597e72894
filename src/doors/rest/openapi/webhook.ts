import { failureCatalogue } from '../../../domain/sales/receipts/failures.ts';
import { RECEIPT, WEBHOOK_STATUS, WEBHOOK_TRACKING } from '../../../domain/sales/receipts/lifecycle.ts';
import { EVENT } from '../../../domain/webhooks/delivery/sign.ts';
import { described, type JsonSchema, nameAs, objectOf, orNull, ref } from './json-schema.ts';

const text: JsonSchema = { type: 'string' };
const wallet = ref('schemas', 'Wallet');
const statuses = [
  ...new Set([...RECEIPT.statuses.flatMap((status) => WEBHOOK_STATUS[status] ?? []), ...WEBHOOK_TRACKING]),
];
const oneOf = (words: Iterable<string>): JsonSchema => ({ anyOf: [{ enum: [...new Set(words)] }, { type: 'null' }] });

/** The payload of a receipt's webhook, in the contract's order. */
const eventSchema: JsonSchema = objectOf(
  {
    event: { type: 'string', const: EVENT },
    receiptId: text,
    status: described(text, `The new status: ${statuses.map((status) => `\`${status}\``).join(', ')}.`),
    previousStatus: described(text, 'The status of the previous webhook, else the receipt’s first status.'),
    failureCode: described(oneOf(Object.keys(failureCatalogue)), 'Why it failed; null if it did not.'),
    failureCategory: oneOf(Object.values(failureCatalogue).map(([category]) => category)),
    failureReason: described(orNull(text), 'The reason, for people.'),
    failureAction: described(orNull(text), 'What the merchant can do.'),
    transactionHash: described(orNull(text), 'Absent if the payment failed.'),
    buyerWallet: orNull(wallet),
    merchantWallet: wallet,
    totalUsd: { type: 'number' },
    customerTotalUsd: described({ type: 'number' }, 'What the buyer pays, including a card provider’s fees.'),
    onrampSourceAmountUsd: described(
      { type: 'number' },
      'The amount that a card provider converts to tokens. Absent without a card provider.',
    ),
    token: described(text, 'The symbol of the token paid. Absent if nothing was paid.'),
    onrampSessionId: described(orNull(text), 'The card provider’s id of the checkout.'),
    isOnrampSessionUnique: described({ type: 'boolean' }, 'Whether the session belongs to this receipt only.'),
    transactionId: described(orNull(text), 'The merchant’s own reference.'),
    metadata: { type: ['object', 'null'], additionalProperties: true },
    brandKey: text,
    timestamp: { type: 'integer', description: 'When it happened, in epoch milliseconds.' },
    seq: { type: 'integer', description: 'The sequence number of the receipt’s history entry.' },
    acceptedUsd: described(
      text,
      'What is missing of the total and was accepted, in US dollars as decimal text. Absent if nothing was.',
    ),
    oversold: {
      type: 'array',
      description: 'Items sold beyond the stock. Absent if there are none.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['sku', 'qty'],
        properties: { sku: text, qty: { type: 'integer', description: 'How many were missing.' } },
      },
    },
  },
  [
    ...['event', 'receiptId', 'status', 'previousStatus'],
    ...['failureCode', 'failureCategory', 'failureReason', 'failureAction'],
    ...['buyerWallet', 'merchantWallet', 'totalUsd', 'customerTotalUsd', 'onrampSessionId', 'isOnrampSessionUnique'],
    ...['transactionId', 'metadata', 'brandKey', 'timestamp', 'seq'],
  ],
);

const header = (name: string, description: string, schema: JsonSchema = text): JsonSchema => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
});

/** The webhook of receipts. */
export const webhooks: JsonSchema = {
  [EVENT]: {
    post: {
      operationId: 'receiptStatusUpdated',
      tags: ['Webhooks'],
      summary: 'Receipt status changed',
      description:
        'Sent to the `webhookUrl` of a receipt, signed with the API key it was made with. Answer 2xx within five seconds; a failed delivery is retried ' +
        'once, five seconds later. The same event may arrive twice, with the same `X-Service-Delivery`.',
      security: [],
      parameters: [
        header('X-Service-Signature', '`sha256=` and the HMAC-SHA256 of the raw body in hex, keyed by the API key.', {
          type: 'string',
          pattern: '^sha256=[0-9a-f]{64}$',
        }),
        header('X-Service-Event', 'The type of the event.', { type: 'string', const: EVENT }),
        header('X-Service-Delivery', 'The delivery’s id.', { type: 'string', format: 'uuid' }),
        header('X-Service-Timestamp', 'When it was sent, in epoch milliseconds.', {
          type: 'string',
          pattern: '^\\d+$',
        }),
        header('webhook-id', 'The delivery’s id, as Standard Webhooks names it.'),
        header('webhook-timestamp', 'When it was sent, in epoch seconds.', { type: 'string', pattern: '^\\d+$' }),
        header('webhook-signature', 'The signature of Standard Webhooks, keyed by the bytes of the same key.', {
          type: 'string',
          pattern: '^v1,[A-Za-z0-9+/]+=*$',
        }),
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: nameAs('ReceiptStatusUpdated', eventSchema) } },
      },
      responses: {
        '2XX': { description: 'Received.' },
        '4XX': { description: 'Like any other answer, or none in time: the delivery is retried once.' },
      },
    },
  },
};
