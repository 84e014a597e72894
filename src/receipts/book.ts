import type { Wallet } from '../core/wallet.ts';
import type { ReceiptStatus } from './lifecycle.ts';
import type { ReceiptOptions } from './options.ts';
import type { LineItem, Pricing } from './receipt.entity.ts';

/** A receipt to insert. Money in cents, times in epoch ms. */
export interface NewReceipt {
  readonly merchant: Wallet;
  readonly id: string;
  readonly origin: 'order' | 'receipt' | 'terminal' | 'charge';
  readonly status: Extract<ReceiptStatus, 'generated' | 'pending'>;
  readonly totalCents: number;
  readonly currency: 'USD' | 'EUR';
  readonly lineItems: readonly LineItem[];
  readonly jurisdictionCode: string | null;
  readonly taxRate: string | null;
  readonly taxComponents: readonly string[] | null;
  readonly pricing: Pricing | null;
  readonly brandName: string;
  readonly options: ReceiptOptions;
  readonly keyId: string | null;
  readonly contentDigest: string | null;
  readonly chainId: number;
  readonly actor: string;
  readonly at: number;
}

/**
 * The single statement that inserts a receipt and the first row of its history if `condition` holds (SQL over
 * `merchants m`, with parameters from `$25`). It returns the id, or no row if nothing was inserted or the id is taken.
 * It records the last known head of the chain, so that an older payment is never matched to the receipt.
 */
export const bookingText = (condition: string): string => `
  with booked as (
    insert into receipts (merchant, id, origin, status, announced_status, total_cents, currency, line_items, jurisdiction_code, tax_rate, tax_components,
                          pricing, brand_name, transaction_id, metadata, billing_address, redirect_url, success_url, post_payment, webhook_url, key_id,
                          content_digest, created_block, created_at, updated_at)
    select $1, $2, $3, $4::text, $4::text, $5::bigint, $6, $7::jsonb, $8, $9, $10::jsonb, $11::jsonb, $12, $13, $14::jsonb, $15::jsonb, $16, $17, $18, $19, $20,
           $21, (select head from chain_cursors where chain_id = $22::bigint), $23::bigint, $23::bigint
      from merchants m
     where m.wallet = $1 and ${condition}
    on conflict do nothing
    returning merchant, id, status, created_at)
  insert into receipt_history (merchant, receipt_id, seq, kind, status, actor, at)
  select merchant, id, 1, 'status', status, $24, created_at from booked
  returning receipt_id as id`;

const json = (value: unknown): string | null => (value == null ? null : JSON.stringify(value));

/** The parameters `$1` to `$24` of the insert. */
export function bookingParameters(receipt: NewReceipt): unknown[] {
  const { options } = receipt;
  return [
    receipt.merchant,
    receipt.id,
    receipt.origin,
    receipt.status,
    receipt.totalCents,
    receipt.currency,
    json(receipt.lineItems),
    receipt.jurisdictionCode,
    receipt.taxRate,
    json(receipt.taxComponents),
    json(receipt.pricing),
    receipt.brandName,
    options.transactionId ?? null,
    json(options.metadata),
    json(options.billingAddress),
    options.redirectUrl ?? null,
    options.successUrl ?? null,
    options.postPayment ?? null,
    options.webhookUrl ?? null,
    receipt.keyId,
    receipt.contentDigest,
    receipt.chainId,
    receipt.at,
    receipt.actor,
  ];
}
