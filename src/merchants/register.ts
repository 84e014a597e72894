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

/** What registering takes: a wallet in any letter case, a name, and a brand where it is not the server's own. */
export type Registration = z.input<typeof registration>;

/** Registers a merchant. Refuses with `invalid_input` where the wallet already is one's, whatever its name; `invalid_wallet` where it is none. */
export async function registerMerchant(
  deps: Pick<Deps, 'orm' | 'settings' | 'clock'>,
  input: Registration,
): Promise<MerchantRecord> {
  const { wallet, name, brandKey = deps.settings.brandKey } = parseInput(registration, input);
  const now = deps.clock();
  return inTransaction(deps, async (uow) => {
    // Two that register the same wallet at once: the second waits for the first and finds nothing to insert.
    const [merchant] = await uow.sql<MerchantRecord>(
      `insert into merchants (wallet, name, brand_key, shop, pricing, version, created_at, updated_at)
       values ($1, $2, $3, $4, $5, 1, $6, $6)
       on conflict (wallet) do nothing
       returning wallet, name, name as "brandName", brand_key as "brandKey", version, created_at as "createdAt"`,
      [wallet, name, brandKey, JSON.stringify(DEFAULT_SHOP), JSON.stringify(DEFAULT_PRICING), now],
    );
    if (!merchant)
      throw refuse('invalid_input', `A merchant is already registered under ${wallet}`, { field: 'wallet' });
    return merchant;
  });
}
