import type { Wallet } from '../../core/wallet.ts';
import type { Merchant } from '../../merchants/merchant.entity.ts';
import type { PaymentTerms } from '../../merchants/payment-terms.ts';
import { DEFAULT_SHOP } from '../../merchants/shop.ts';
import { jsonb } from '../../platform/jsonb.ts';
import { inTransaction } from '../../platform/unit-of-work.ts';
import { expireReceipts } from '../../receipts/end.ts';
import { Receipt } from '../../receipts/receipt.entity.ts';
import type { World } from './world.ts';

/** Registers a merchant with these terms. */
export async function setTerms(world: World, wallet: Wallet, terms: Partial<PaymentTerms>): Promise<void> {
  const now = Date.now();
  const shop = { ...DEFAULT_SHOP, ...terms };
  await inTransaction(world.deps, ({ db }) =>
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
  await world.deps.orm.em.fork().nativeUpdate(Receipt, { merchant, id }, { expiresAt, lifetimeMs: 3_600_000 });
  await expireReceipts(world.deps);
}
