import { isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { ANONYMOUS, type Caller } from '../../../base/core/caller.ts';
import { SCOPES } from '../../../base/core/scopes.ts';
import { schema } from '../../../doors/http/server/schema.ts';
import { merchantDeps, PLATFORM } from '../merchants/test/deps.ts';
import { admin, asker, buyer, developer } from '../merchants/test/graphql.ts';

const deps = merchantDeps();
const ask = asker(schema, deps);

const ITEM = `id sku name wallet priceUsd price currency stockQty taxable category description tags images thumb attributes costUsd
  jurisdictionCode createdAt updatedAt`;
const SAVE = `mutation ($input: InventoryItemInput!) { saveInventoryItem(input: $input) { ${ITEM} } }`;

describe('permissions over GraphQL', () => {
  const reads: [string, string][] = [
    ['inventory:read', '{ inventoryPage { total items { sku } } }'],
    ['inventory:read', '{ inventory { totalCount nodes { sku } edges { node { sku } } } }'],
    ['inventory:read', '{ inventoryItem(by: { sku: "S" }) { sku } }'],
    ['shop:read', '{ shopConfig { name } }'],
    ['shop:read', '{ taxCatalog { jurisdictions { code } } }'],
    ['split:read', '{ split { address } }'],
    ['split:read', '{ splitTransactions { nodes { id } } }'],
  ];
  it.each(reads)('the scope %s or a session is required for %s', async (scope, source) => {
    const a = await deps.merchant();
    await ask(admin(a), SAVE, { input: { sku: 'S', name: 'S', priceUsd: 1 } });
    for (const caller of [developer(a, scope as never), admin(a, false)]) {
      expect(await ask(caller, source)).not.toHaveProperty('code');
    }
    const others = SCOPES.filter((other) => other !== scope);
    for (const caller of [developer(a, ...others), buyer(a)]) {
      expect(await ask(caller, source)).toMatchObject({ code: 'forbidden' });
    }
    expect(await ask(ANONYMOUS, source)).toMatchObject({ code: 'unauthorized' });
  });

  const writes: [string, string | null][] = [
    ['mutation { saveInventoryItem(input: { sku: "S", name: "S", priceUsd: 1 }) { id sku } }', 'inventory:write'],
    ['mutation { deleteInventoryItem(id: "x") }', 'inventory:write'],
    ['mutation { updateShopConfig(input: { name: "n" }) { name } }', null],
    ['mutation { saveJurisdiction(input: { code: "XX", rate: 0.1 }) { code } }', null],
    ['mutation { deleteJurisdiction(code: "XX") }', null],
    ['mutation { deploySplit { split { address recipients { address } } idempotent } }', null],
    ['mutation { replaceSplit(input: {}) { address recipients { address } } }', null],
  ];
  it.each(writes)('%s requires a session with a CSRF token, or the scope %s', async (source, scope) => {
    const a = await deps.merchant();
    const open: Caller[] = [admin(a), ...(scope ? [developer(a, scope as never)] : [])];
    for (const caller of open) {
      expect([undefined, 'not_found']).toContain(((await ask(caller, source)) as { code?: string }).code);
    }
    const others = SCOPES.filter((other) => other !== scope);
    for (const caller of [admin(a, false), developer(a, ...others), buyer(a)]) {
      expect(await ask(caller, source)).toMatchObject({ code: 'forbidden' });
    }
    expect(await ask(ANONYMOUS, source)).toMatchObject({ code: 'unauthorized' });
  });

  it('every caller may read the site of its host', async () => {
    expect(
      await ask(
        ANONYMOUS,
        '{ siteConfig { brandKey processingFeePct defaultPaymentToken reserveRatios theme { brandName } } }',
      ),
    ).toEqual({
      siteConfig: {
        brandKey: deps.settings.brandKey,
        processingFeePct: 0.5,
        defaultPaymentToken: 'USDC',
        reserveRatios: { USDC: 1, USDT: 0, ETH: 0 },
        theme: { brandName: 'Quittance' },
      },
    });
  });

  it('every type and root field of these folders has a guard, and every field has a description', () => {
    const ours = [
      'ShopConfig',
      'SiteConfig',
      'InventoryItem',
      'InventoryPage',
      'InventoryConnection',
      'InventoryEdge',
      'TaxCatalog',
      'TaxJurisdiction',
      'Split',
      'ConfiguredSplit',
      'SplitTransaction',
      'SplitRecipient',
      'ShopTheme',
      'ShopLink',
      'SiteTheme',
      'TaxComponent',
    ];
    for (const name of ours) {
      const type = schema.getType(name);
      if (!isObjectType(type)) throw new Error(`${name} is missing`);
      const { pothosOptions, policy } = type.extensions as {
        pothosOptions?: { authScopes?: unknown };
        policy?: unknown;
      };
      expect(policy ?? pothosOptions?.authScopes, name).toBeTruthy();
      const common = ['pageInfo', 'cursor'];
      for (const field of Object.values(type.getFields()).filter((each) => !common.includes(each.name)))
        expect(field.description, `${name}.${field.name}`).toBeTruthy();
    }
  });
});

describe('the catalog over GraphQL', () => {
  it('saves and returns an item with every field', async () => {
    const a = await deps.merchant();
    const input = {
      sku: 'MUG',
      name: '<b>Mug</b>',
      price: 12.5,
      currency: 'EUR',
      stockQty: 5,
      taxable: true,
      category: 'c',
      description: 'd',
      tags: ['t'],
      images: ['https://example.com/mug.png'],
      attributes: { a: 1 },
      costUsd: 3.21,
      jurisdictionCode: 'DE',
    };
    const { saveInventoryItem: item } = (await ask(developer(a, 'inventory:write'), SAVE, { input })) as never;
    expect(item).toEqual({
      ...input,
      id: expect.stringMatching(/^item_/),
      wallet: a,
      priceUsd: null,
      thumb: expect.stringMatching(/^data:image\/svg\+xml/),
      createdAt: deps.now.ms,
      updatedAt: deps.now.ms,
    });
    expect(
      await ask(admin(a), `query ($sku: String!) { inventoryItem(by: { sku: $sku }) { ${ITEM} } }`, { sku: 'MUG' }),
    ).toEqual({ inventoryItem: item });
    const inDollars = { sku: 'MUG', price: 3, currency: 'USD' };
    expect(await ask(admin(a), SAVE, { input: inDollars })).toMatchObject({
      saveInventoryItem: { priceUsd: 3, price: 3, currency: 'USD', attributes: { a: 1 } },
    });
  });

  it('reads a list of any length with its pictures in two statements', async () => {
    const a = await deps.merchant();
    for (let i = 0; i < 30; i++) await ask(admin(a), SAVE, { input: { sku: `S${i}`, name: `n${i}`, priceUsd: i } });
    deps.statements.length = 0;
    const answer = (await ask(
      developer(a, 'inventory:read'),
      `{ inventoryPage(limit: 200, sort: sku, order: asc) { total page pageSize items { ${ITEM} } } }`,
    )) as { inventoryPage?: unknown };
    expect(answer.inventoryPage).toMatchObject({ total: 30, page: 0, pageSize: 200 });
    expect(deps.statements).toHaveLength(2);
  });

  it('pages through a connection forwards and backwards', async () => {
    const a = await deps.merchant();
    for (let i = 0; i < 5; i++) await ask(admin(a), SAVE, { input: { sku: `S${i}`, name: 'n', priceUsd: 1 } });
    const walk = `query ($first: Int, $after: String, $last: Int, $before: String) {
      inventory(sort: sku, order: asc, first: $first, after: $after, last: $last, before: $before) {
        edges { cursor node { sku } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;
    type Stretch = {
      inventory: { edges: { node: { sku: string } }[]; pageInfo: Record<string, string | boolean> };
    };
    const read = async (variables: object) => {
      const { inventory } = (await ask(admin(a), walk, variables as never)) as unknown as Stretch;
      return { skus: inventory.edges.map(({ node }) => node.sku), ...inventory.pageInfo } as Record<string, unknown>;
    };
    const first = await read({ first: 2 });
    expect(first).toMatchObject({ skus: ['S0', 'S1'], hasNextPage: true, hasPreviousPage: false });
    const second = await read({ first: 2, after: first.endCursor });
    expect(second).toMatchObject({ skus: ['S2', 'S3'], hasNextPage: true });
    expect(await read({ first: 2, after: second.endCursor })).toMatchObject({ skus: ['S4'], hasNextPage: false });
    expect(await read({ last: 2 })).toMatchObject({ skus: ['S3', 'S4'], hasPreviousPage: true });
    expect(await read({ last: 2, before: second.startCursor })).toMatchObject({ skus: ['S0', 'S1'] });
    for (const wrong of [{ first: -1 }, { first: 201 }, { last: -1 }, { first: 1, last: 1 }]) {
      expect(await ask(admin(a), walk, wrong), JSON.stringify(wrong)).toMatchObject({ code: 'invalid_input' });
    }
  });

  it('reports errors with the same codes as the domain', async () => {
    const a = await deps.merchant();
    const caller = admin(a);
    expect(await ask(caller, SAVE, { input: { sku: 'S', name: 'S', priceUsd: 1.005 } })).toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/^priceUsd /),
    });
    expect(await ask(caller, SAVE, { input: { name: 'S' } })).toMatchObject({ code: 'invalid_input' });
    expect(await ask(caller, '{ inventoryPage(limit: 201) { total } }')).toMatchObject({ code: 'invalid_input' });
    expect(await ask(caller, '{ inventory(sort: nothing) { totalCount } }')).toMatchObject({ code: 'invalid_input' });
    expect(await ask(caller, '{ inventoryItem(by: {}) { sku } }')).toMatchObject({ code: 'invalid_input' });
    expect(await ask(caller, '{ inventoryItem(by: { id: "x" }) { sku } }')).toMatchObject({ code: 'not_found' });
    expect(await ask(caller, 'mutation { deleteInventoryItem(id: "x") }')).toMatchObject({ code: 'not_found' });
  });
});

describe('shop, tax and split over GraphQL', () => {
  it('returns the whole shop', async () => {
    const a = await deps.merchant();
    const theme =
      'theme { primaryColor secondaryColor textColor accentColor brandLogoUrl coverPhotoUrl fontFamily logoShape heroFontSize }';
    const shop = `{ name description bio ${theme} arrangement xpPerDollar slug links { label url } processingFeePct setupComplete createdAt updatedAt }`;
    const update = `mutation ($input: ShopConfigInput!) { updateShopConfig(input: $input) ${shop} }`;
    const input = {
      processingFeePct: 1.5,
      links: [{ label: 'x', url: 'https://x.example' }],
      theme: { primaryColor: '#123' },
    };
    const { updateShopConfig } = (await ask(admin(a), update, { input })) as never;
    expect(updateShopConfig).toMatchObject({ ...input, setupComplete: false, name: null });
    expect(await ask(developer(a, 'shop:read'), `{ shopConfig ${shop} }`)).toEqual({ shopConfig: updateShopConfig });
    expect(await ask(admin(a), update, { input: { processingFeePct: 21 } })).toMatchObject({ code: 'invalid_input' });
  });

  it('returns rates as numbers', async () => {
    const a = await deps.merchant();
    const save =
      'mutation { saveJurisdiction(input: { code: "XX", components: [{ code: "state", rate: 0.0725 }, { code: "county", rate: 0.0225 }] }) { code rate } }';
    expect(await ask(admin(a), save)).toEqual({ saveJurisdiction: { code: 'XX', rate: 0.095 } });
    const catalog = '{ taxCatalog { jurisdictions { code displayName rate components { code rate } updatedAt } } }';
    const { taxCatalog } = (await ask(developer(a, 'shop:read'), catalog)) as never as {
      taxCatalog: { jurisdictions: unknown[] };
    };
    expect(taxCatalog.jurisdictions[0]).toEqual({
      code: 'XX',
      displayName: 'XX',
      rate: 0.095,
      components: [
        { code: 'state', rate: 0.0725 },
        { code: 'county', rate: 0.0225 },
      ],
      updatedAt: deps.now.ms,
    });
    expect(taxCatalog.jurisdictions.length).toBeGreaterThan(70);
  });

  it('returns a split: null and empty before it is configured, and the same one on a second call', async () => {
    const a = await deps.merchant();
    const read = '{ split { address recipients { address sharesBps } } }';
    expect(await ask(developer(a, 'split:read'), read)).toEqual({ split: { address: null, recipients: [] } });
    const deploy = `mutation ($input: SplitInput) { deploySplit(input: $input) { idempotent split { address recipients { address sharesBps } } } }`;
    const first = (await ask(admin(a), deploy)) as never as { deploySplit: { split: object } };
    expect(first.deploySplit).toMatchObject({
      idempotent: false,
      split: {
        recipients: [
          { address: a, sharesBps: 9950 },
          { address: PLATFORM, sharesBps: 50 },
        ],
      },
    });
    const input = {
      recipients: [
        { address: a, sharesBps: 9000 },
        { address: PLATFORM, sharesBps: 1000 },
      ],
    };
    expect(await ask(admin(a), deploy, { input })).toEqual({ deploySplit: { ...first.deploySplit, idempotent: true } });
    expect(await ask(developer(a, 'split:read'), read)).toEqual({ split: first.deploySplit.split });
    expect(await ask(developer(a, 'split:read'), '{ splitTransactions(address: "x") { totalCount } }')).toMatchObject({
      code: 'invalid_input',
    });
  });
});
