import { z } from 'zod';
import { refuse } from '../../../base/core/errors.ts';
import { optional, parseInput } from '../../../base/core/input.ts';
import { identifier, label, wallet } from '../../../base/core/text.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { type AuditDeps, recordAudit } from '../../../base/records/audit/record.ts';
import type { MerchantRecord } from './find.ts';
import { addMember } from './members.ts';
import type { Merchant } from './merchant.entity.ts';
import { DEFAULT_PRICING } from './pricing.ts';
import { DEFAULT_SHOP } from './shop.ts';

const registration = z.object({ wallet, name: label, brandKey: optional(identifier) });

/** Registration input: a wallet in any letter case, a name, and a brand if it is not the server's own. */
export type Registration = z.input<typeof registration>;

/**
 * Registers a merchant, whose wallet becomes its owner. Refuses with `invalid_input` if the wallet is already
 * registered, and with `invalid_wallet` if it is malformed.
 */
export async function registerMerchant(
  deps: AuditDeps & Pick<Deps, 'db' | 'settings'>,
  input: Registration,
): Promise<MerchantRecord> {
  const { wallet, name, brandKey = deps.settings.brandKey } = parseInput(registration, input);
  return deps.db.transaction((uow) => addMerchant(deps, uow, { wallet, name, brandKey, newcomer: false }));
}

/** Registers a merchant within a unit of work. Refuses with `invalid_input` if the wallet is already registered. */
export async function addMerchant(
  deps: AuditDeps,
  uow: UnitOfWork,
  { wallet, name, brandKey, newcomer }: Pick<Merchant, 'wallet' | 'name' | 'brandKey' | 'newcomer'>,
): Promise<MerchantRecord> {
  const now = deps.clock();
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
      suspendedAt: null,
      suspendedReason: null,
      newcomer,
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((conflict) => conflict.column('wallet').doNothing())
    .returning(['wallet', 'name', 'name as brandName', 'brandKey', 'version', 'createdAt'])
    .executeTakeFirst();
  if (!merchant)
    throw refuse('invalid_input', `A merchant is already registered under ${wallet}`, {
      field: 'wallet',
      reason: 'wallet_taken',
    });
  await addMember(uow, { merchant: wallet, wallet, role: 'owner', label: null, createdAt: now, addedBy: null });
  await recordAudit(deps, uow, merchant.wallet, 'merchant.registered', ['merchant', merchant.wallet], {
    after: { name, brandKey },
  });
  return merchant;
}
