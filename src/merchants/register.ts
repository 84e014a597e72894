import { z } from 'zod';
import { refuse } from '../core/errors.ts';
import { optional, parseInput } from '../core/input.ts';
import { identifier, label, wallet } from '../core/text.ts';
import type { Deps } from '../platform/deps.ts';
import { inTransaction } from '../platform/unit-of-work.ts';
import type { MerchantRecord } from './find.ts';
import { DEFAULT_PRICING } from './pricing.ts';
import { DEFAULT_SHOP } from './shop.ts';

const registration = z.object({ wallet, name: label, brandKey: optional(identifier) });

/** Registration input: a wallet in any letter case, a name, and a brand if it is not the server's own. */
export type Registration = z.input<typeof registration>;

/**
 * Registers a merchant. Refuses with `invalid_input` if the wallet is already registered, and with `invalid_wallet` if
 * it is malformed.
 */
export async function registerMerchant(
  deps: Pick<Deps, 'orm' | 'settings' | 'clock'>,
  input: Registration,
): Promise<MerchantRecord> {
  const { wallet, name, brandKey = deps.settings.brandKey } = parseInput(registration, input);
  const now = deps.clock();
  return inTransaction(deps, async (uow) => {
    // Of two concurrent registrations of a wallet, the second waits for the first and then inserts nothing.
    const merchant = await uow.db
      .insertInto('Merchant')
      .values({
        wallet,
        name,
        brandKey,
        shop: DEFAULT_SHOP,
        pricing: DEFAULT_PRICING,
        version: 1,
        createdAt: now,
        updatedAt: now,
      })
      .onConflict((conflict) => conflict.column('wallet').doNothing())
      .returning(['wallet', 'name', 'name as brandName', 'brandKey', 'version', 'createdAt'])
      .executeTakeFirst();
    if (!merchant)
      throw refuse('invalid_input', `A merchant is already registered under ${wallet}`, { field: 'wallet' });
    return merchant;
  });
}
