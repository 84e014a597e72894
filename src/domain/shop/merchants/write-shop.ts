import { refuse } from '../../../base/core/errors.ts';
import { isLocalChain } from '../../../base/core/local-chains.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { type AuditDeps, recordAudit, type WritingDeps } from '../../../base/records/audit/record.ts';
import { configuredChoice } from './chosen-tokens.ts';
import { requireOwnWallet } from './own-wallet.ts';
import { type ShopRecord, shopRecord } from './read-shop.ts';
import type { ProfileInput, ShopInput } from './shop.input.ts';
import type { ShopConfig } from './shop.ts';
import { raiseVersion } from './version.ts';

/**
 * Merges the given fields into the merchant's shop. Omitted fields keep their values, in the theme field by field; null
 * clears a field. Refuses with `forbidden` if the wallet is not the merchant's, and with `invalid_input` if the server
 * does not have a chosen token.
 */
export async function writeShop(
  deps: AuditDeps & Pick<Deps, 'db' | 'chains'>,
  merchant: Wallet,
  { wallet, theme, paymentTokens, ...given }: ShopInput,
): Promise<ShopRecord> {
  requireOwnWallet(merchant, wallet);
  const isLocal = deps.chains.some(({ chainId }) => isLocalChain(chainId));
  if (!isLocal && given.embedOrigins?.some((origin) => !origin.startsWith('https:')))
    throw refuse('invalid_input', 'embedOrigins must begin with https://', { field: 'embedOrigins' });
  const chosen = paymentTokens && configuredChoice(deps.chains, paymentTokens);
  return changeShop(deps, merchant, (before) => ({
    ...before,
    ...withoutGaps({ ...given, paymentTokens: chosen }),
    theme: { ...before.theme, ...withoutGaps(theme ?? {}) },
  }));
}

/** Merges the given fields into what is said of the merchant's shop. Omitted fields keep their values. */
export const writeProfile = (deps: WritingDeps, merchant: Wallet, given: ProfileInput): Promise<ShopRecord> =>
  changeShop(deps, merchant, (before) => ({ ...before, ...withoutGaps(given) }));

async function changeShop(
  deps: WritingDeps,
  merchant: Wallet,
  change: (before: ShopConfig) => ShopConfig,
): Promise<ShopRecord> {
  return deps.db.transaction(async (uow) => {
    await raiseVersion(deps, uow, merchant);
    const row = await uow.db
      .selectFrom('Merchant')
      .select(['shop', 'createdAt'])
      .where('wallet', '=', merchant)
      .executeTakeFirstOrThrow();
    const { createdAt, ...before } = shopRecord(row.shop, row.createdAt);
    const shop: ShopConfig = { ...change(before), updatedAt: deps.clock() };
    await uow.db.updateTable('Merchant').set({ shop }).where('wallet', '=', merchant).execute();
    await recordAudit(deps, uow, merchant, 'shop.changed', ['shop', merchant], {
      before: settingsIn(before),
      after: settingsIn(shop),
    });
    return shopRecord(shop, createdAt);
  });
}

/** Notes the time zone that the statistics count the shop's days in from now on. Orders do not depend on it. */
export async function noteCountedZone({ db }: UnitOfWork, merchant: Wallet, countedZone: string): Promise<void> {
  await db.updateTable('Merchant').set({ countedZone }).where('wallet', '=', merchant).execute();
}

/** The settings of a shop, with those of its theme as fields of their own. */
const settingsIn = ({ theme, updatedAt, ...settings }: ShopConfig) => ({
  ...settings,
  ...Object.fromEntries(Object.entries(theme).map(([name, value]) => [`theme.${name}`, value])),
});

type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** The given fields without those that are undefined. */
function withoutGaps<T extends object>(given: T): Partial<Given<T>> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<Given<T>>;
}
