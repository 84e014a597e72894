import { describe, expect, it } from 'vitest';
import { findMerchant } from './find.ts';
import { readShop } from './read-shop.ts';
import { registerMerchant } from './register.ts';
import { DEFAULT_SHOP } from './shop.ts';
import { readSite } from './site.ts';
import { merchantDeps, walletOf } from './test/deps.ts';
import { writeShop } from './test/requests.ts';

const deps = merchantDeps();

describe('registering a merchant', () => {
  it('takes a wallet in any letter case and uses the server’s brand by default', async () => {
    const merchant = await registerMerchant(deps, { wallet: `0x${'AB'.repeat(20)}`, name: 'Acme' });
    expect(merchant).toEqual({
      wallet: `0x${'ab'.repeat(20)}`,
      name: 'Acme',
      brandName: 'Acme',
      brandKey: deps.settings.brandKey,
      version: 1,
      createdAt: deps.now.ms,
    });
    expect(await findMerchant(deps.db, merchant.wallet)).toEqual(merchant);
  });

  it('refuses a registered wallet, also for two concurrent registrations', async () => {
    const input = { wallet: walletOf('1'), name: 'One' };
    const outcomes = await Promise.allSettled([registerMerchant(deps, input), registerMerchant(deps, input)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(registerMerchant(deps, { ...input, name: 'Other' })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('already registered'),
    });
    expect((await findMerchant(deps.db, walletOf('1')))!.name).toBe('One');
  });

  it.each([
    [{ wallet: '0x12', name: 'x' }, 'invalid_wallet'],
    [{ wallet: walletOf('2'), name: '' }, 'invalid_input'],
    [{ wallet: walletOf('2'), name: '\0' }, 'invalid_input'],
    [{ wallet: walletOf('2'), name: 'x'.repeat(257) }, 'invalid_input'],
  ])('refuses %j', async (input, code) => {
    await expect(registerMerchant(deps, input)).rejects.toMatchObject({ code });
  });

  it('returns null for a wallet without a merchant', async () => {
    expect(await findMerchant(deps.db, walletOf('9'))).toBeNull();
    await expect(readShop(deps.db, walletOf('9'))).rejects.toMatchObject({ code: 'not_found' });
    await expect(writeShop(deps, walletOf('9'), {})).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the shop', () => {
  it('starts with defaults and the time of the registration', async () => {
    const a = await deps.merchant();
    expect(await readShop(deps.db, a)).toEqual({ ...DEFAULT_SHOP, createdAt: deps.now.ms, updatedAt: deps.now.ms });
  });

  it('merges the given fields, in the theme field by field, and clears with null', async () => {
    const a = await deps.merchant();
    await writeShop(deps, a, {
      name: 'Shop',
      bio: 'us',
      theme: { primaryColor: '#112233', fontFamily: 'Inter' },
      links: [{ label: 'home', url: 'https://example.com' }],
      processingFeePct: 1.5,
    });
    deps.now.ms += 1000;
    const after = await writeShop(deps, a, {
      bio: null,
      theme: { primaryColor: null, textColor: '#000' },
      slug: 'shop-1',
    });
    expect(after).toMatchObject({
      name: 'Shop',
      bio: null,
      theme: { primaryColor: null, fontFamily: 'Inter', textColor: '#000' },
      links: [{ label: 'home', url: 'https://example.com' }],
      processingFeeBps: 150,
      slug: 'shop-1',
      updatedAt: deps.now.ms,
      createdAt: deps.now.ms - 1000,
    });
    expect(await readShop(deps.db, a)).toEqual(after);
    expect(await findMerchant(deps.db, a)).toMatchObject({ brandName: 'Shop', version: 3 });
  });

  it('keeps every field of concurrent writes', async () => {
    const a = await deps.merchant();
    await Promise.all([
      writeShop(deps, a, { bio: 'b' }),
      writeShop(deps, a, { name: 'n' }),
      writeShop(deps, a, { slug: 's' }),
    ]);
    expect(await readShop(deps.db, a)).toMatchObject({ bio: 'b', name: 'n', slug: 's' });
  });

  it.each([
    [{ processingFeePct: 20.01 }, /^processingFeePct /],
    [{ processingFeePct: -1 }, /^processingFeePct /],
    [{ processingFeePct: 1.005 }, /^processingFeePct /],
    [{ processingFeePct: '1' }, /^processingFeePct /],
    [{ name: 'x\0' }, /^name /],
    [{ theme: { primaryColor: 'red;}' } }, /^theme\.primaryColor /],
    [{ theme: { brandLogoUrl: 'javascript:1' } }, /^theme\.brandLogoUrl /],
    [{ links: [{ label: 'x', url: 'http://x.example' }] }, /^links\[0\]\.url /],
    [{ xpPerDollar: JSON.parse('1e400') }, /^xpPerDollar /],
    ['text', /body/],
  ])('refuses %j and changes nothing', async (body, message) => {
    const a = await deps.merchant();
    await expect(writeShop(deps, a, body)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(message),
    });
    expect((await findMerchant(deps.db, a))!.version).toBe(1);
  });

  it('refuses the wallet of another merchant', async () => {
    const [a, b] = [await deps.merchant(), await deps.merchant()];
    await expect(writeShop(deps, a, { wallet: b, name: 'x' })).rejects.toMatchObject({ code: 'forbidden' });
    expect((await readShop(deps.db, b)).name).toBeNull();
  });
});

describe('the site', () => {
  it('has the platform’s defaults on any host that is not a partner’s', async () => {
    expect(await readSite(deps.db, deps.settings, 'evil.example')).toEqual({
      theme: expect.objectContaining({ brandName: 'Quittance', brandLogoUrl: null }),
      brandKey: deps.settings.brandKey,
      processingFeeBps: 50,
      defaultPaymentToken: 'USDC',
      reserveRatios: { USDC: 1, USDT: 0, ETH: 0 },
    });
  });

  it('has the brand of a partner on its host, whatever the port and letter case', async () => {
    const partners = deps.with({
      partnerHosts: new Map([
        ['pay.acme.test', 'acme'],
        ['pay.new.test', 'new'],
        ['pay.plain.test', null],
      ]),
    });
    const owner = await deps.merchant('acme');
    deps.now.ms += 1;
    const later = await deps.merchant('acme');
    await writeShop(deps, owner, { name: 'ACME', theme: { primaryColor: '#ff0000' } });
    await writeShop(deps, later, { name: 'Late', theme: { primaryColor: '#00ff00' } });
    expect(await readSite(partners.db, partners.settings, 'PAY.acme.test:4000')).toMatchObject({
      theme: { brandName: 'ACME', primaryColor: '#ff0000' },
      brandKey: 'acme',
    });
    expect(await readSite(partners.db, partners.settings, 'pay.new.test')).toMatchObject({
      theme: { brandName: 'new' },
      brandKey: 'new',
    });
    expect(await readSite(partners.db, partners.settings, 'pay.plain.test')).toMatchObject({
      brandKey: deps.settings.brandKey,
    });
  });
});
