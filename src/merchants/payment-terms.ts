import type { Wallet } from '../core/wallet.ts';
import { query } from '../platform/query.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';
import { DEFAULT_SHOP, type ShopConfig } from './shop.ts';

/** What a merchant accepts besides payments in full and in time. */
export type PaymentTerms = Pick<ShopConfig, 'lateHours' | 'toleranceBps' | 'toleranceCents'>;

const READ = query('merchant-payment-terms', (db, $: { merchant: Wallet }) =>
  db.selectFrom('Merchant').select('shop').where('wallet', '=', $.merchant),
);

/** A merchant's terms, with defaults for missing fields. */
export async function readPaymentTerms(uow: UnitOfWork, merchant: Wallet): Promise<PaymentTerms> {
  const [row] = await uow.run(READ, { merchant });
  const { lateHours, toleranceBps, toleranceCents } = { ...DEFAULT_SHOP, ...row?.shop };
  return { lateHours, toleranceBps, toleranceCents };
}
