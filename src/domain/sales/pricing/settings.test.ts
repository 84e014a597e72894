import { describe, expect, it } from 'vitest';
import { saveItem } from '../../shop/catalog/test/requests.ts';
import { merchantDeps, walletOf } from '../../shop/merchants/test/deps.ts';
import { writeShop } from '../../shop/merchants/test/requests.ts';
import { configureSplit } from '../../shop/splits/configure.ts';
import { saveJurisdiction } from '../../shop/tax/test/requests.ts';
import { invalidateSettings, lockSettingsWithItems, merchantSettings, settingsWithItems } from './settings.ts';

const deps = merchantDeps();

describe('the settings that orders are priced by', () => {
  it('are the platform’s for a merchant that has set nothing', async () => {
    const a = await deps.merchant();
    expect(await merchantSettings(deps, a)).toEqual({
      wallet: a,
      version: 1,
      brandName: expect.stringMatching(/^Shop /),
      brandKey: deps.settings.brandKey,
      feeBps: 50,
      splitAddress: null,
      splitOnlyChainId: null,
      nativeCurrency: 'USD',
      holdStock: false,
      feeBorneBy: 'buyer',
      pricesIncludeTax: false,
      suspended: false,
      jurisdictions: [],
    });
  });

  it('show a write immediately in the process that wrote', async () => {
    const a = await deps.merchant();
    await merchantSettings(deps, a);
    await writeShop(deps, a, { name: 'Shop', processingFeePct: 1.5 });
    const { split } = await configureSplit(deps, a, {});
    await saveJurisdiction(deps, a, { code: 'us-zz', rate: 0.1 });
    expect(await merchantSettings(deps, a)).toMatchObject({
      version: 4,
      brandName: 'Shop',
      feeBps: 200,
      splitAddress: split.address,
      jurisdictions: [{ code: 'US-ZZ', displayName: 'US-ZZ', rate: '0.1', components: [], updatedAt: deps.now.ms }],
    });
  });

  it('are read once, in one statement, for concurrent requests', async () => {
    const a = await deps.merchant();
    deps.statements.length = 0;
    await Promise.all(Array.from({ length: 20 }, () => merchantSettings(deps, a)));
    await merchantSettings(deps, a);
    expect(deps.statements).toEqual(['merchant-settings']);
  });

  it('are read again once they are found to be stale', async () => {
    const a = await deps.merchant();
    expect((await merchantSettings(deps, a)).version).toBe(1);
    // A write by another process.
    await deps.db.orm.em.execute('update merchants set version = 7 where wallet = ?', [a]);
    expect((await merchantSettings(deps, a)).version).toBe(1);
    invalidateSettings(deps.db, a);
    expect((await merchantSettings(deps, a)).version).toBe(7);
  });

  it('refuse an unregistered wallet and do not cache that', async () => {
    await expect(merchantSettings(deps, walletOf('7'))).rejects.toMatchObject({ code: 'not_found' });
    await expect(settingsWithItems(deps, walletOf('7'), [{ sku: 'x' }])).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('settings with items', () => {
  it('find items by id or sku, id first, and null for what does not exist or is another merchant’s', async () => {
    const [a, b] = [await deps.merchant(), await deps.merchant()];
    const tee = await saveItem(deps, a, { sku: 'TEE', name: 'Tee', priceUsd: 5, taxable: true, stockQty: 1 });
    const mug = await saveItem(deps, a, { sku: 'MUG', name: 'Mug', price: 7, currency: 'EUR' });
    const foreign = await saveItem(deps, b, { sku: 'HAT', name: 'Hat', priceUsd: 1 });
    const refs = [{ sku: 'TEE' }, { id: mug.id, sku: 'TEE' }, { sku: 'HAT' }, { id: foreign.id }, { id: 'TEE' }];
    const { settings, items } = await settingsWithItems(deps, a, refs);
    expect(settings.version).toBe(3);
    expect(items).toEqual([
      {
        id: tee.id,
        sku: 'TEE',
        name: 'Tee',
        priceUsdCents: 500,
        priceCents: null,
        currency: null,
        taxable: true,
        stockLimited: true,
        thumb: null,
      },
      expect.objectContaining({
        id: mug.id,
        priceUsdCents: null,
        priceCents: 700,
        currency: 'EUR',
        stockLimited: false,
      }),
      null,
      null,
      null,
    ]);
    const locked = await deps.db.transaction((uow) => lockSettingsWithItems(deps, uow, a, refs));
    expect(locked).toEqual({ settings, items });
  });

  it('run no statement for cached items', async () => {
    const a = await deps.merchant();
    await saveItem(deps, a, { sku: 'S', name: 'S', priceUsd: 5 });
    const { items } = await settingsWithItems(deps, a, [{ sku: 'S' }]);
    deps.statements.length = 0;
    await settingsWithItems(deps, a, [{ sku: 'S' }, { id: items[0]!.id }]);
    expect(deps.statements).toEqual([]);
  });

  it('never pair items of one version with settings of another', async () => {
    const a = await deps.merchant();
    await saveItem(deps, a, { sku: 'S', name: 'S', priceUsd: 5 });
    await settingsWithItems(deps, a, [{ sku: 'S' }]);
    // A write by another process: a higher price and a higher fee.
    await deps.db.orm.em.execute('update inventory_items set price_usd_cents = 900 where merchant = ?', [a]);
    await deps.db.orm.em.execute(
      `update merchants set version = 9, shop = shop || '{"processingFeeBps": 100}' where wallet = ?`,
      [a],
    );
    const kept = await settingsWithItems(deps, a, [{ sku: 'S' }]);
    expect([kept.settings.version, kept.settings.feeBps, kept.items[0]!.priceUsdCents]).toEqual([2, 50, 500]);
    const read = await settingsWithItems(deps, a, [{ sku: 'S' }, { sku: 'other' }]);
    expect([read.settings.version, read.settings.feeBps, read.items[0]!.priceUsdCents]).toEqual([9, 150, 900]);
  });
});
