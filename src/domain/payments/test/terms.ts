import type { Wallet } from '../../../base/core/wallet.ts';
import { jsonb } from '../../../base/platform/postgres/query.ts';
import { expireReceipts } from '../../sales/receipts/end.ts';
import { ReceiptSchema } from '../../sales/receipts/receipt.entity.ts';
import type { Merchant } from '../../shop/merchants/merchant.entity.ts';
import type { PaymentTerms } from '../../shop/merchants/payment-terms.ts';
import { DEFAULT_SHOP } from '../../shop/merchants/shop.ts';
import type { World } from './world.ts';

/** Registers a merchant with these terms. */
export async function setTerms(world: World, wallet: Wallet, terms: Partial<PaymentTerms>): Promise<void> {
  const now = Date.now();
  const shop = { ...DEFAULT_SHOP, ...terms };
  await world.deps.db.transaction(({ db }) =>
    db
      .insertInto('Merchant')
      .values({
        ...{ wallet, name: 'Shop', brandKey: 'quittance', version: 1, createdAt: now, updatedAt: now },
        shop: jsonb(shop),
        pricing: jsonb({} as Merchant['pricing']),
      })
      .execute(),
  );
}

/** Ends a receipt by time, some milliseconds before the newest block. */
export async function expire(world: World, merchant: Wallet, id: string, agoMs: number): Promise<void> {
  const { timestamp } = await world.chain.client.getBlock();
  const expiresAt = Number(timestamp) * 1_000 - agoMs;
  await world.deps.db.orm.em.fork().nativeUpdate(ReceiptSchema, { merchant, id }, { expiresAt, lifetimeMs: 3_600_000 });
  await expireReceipts(world.deps);
}
