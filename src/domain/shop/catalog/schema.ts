import { merchantOf } from '../../../base/core/caller.ts';
import { Refusal } from '../../../base/core/errors.ts';
import { parseInput } from '../../../base/core/input.ts';
import { usdFromCents } from '../../../base/core/money.ts';
import { builder, throughParent } from '../../../base/graphql/builder.ts';
import { connect, connectionTypes, costOfPage } from '../../../base/graphql/connection.ts';
import { countsAs } from '../../../base/graphql/rate.ts';
import { CurrencyEnum, ErrorCodeEnum, SortOrder } from '../../../base/graphql/vocabulary.ts';
import type { ItemRecord } from './item.entity.ts';
import { itemDeletion, itemInput } from './item.input.ts';
import { ItemChoice } from './item-choice.ts';
import { LOW_STOCK } from './item-filter.ts';
import { itemQuery, MAX_PAGE_SIZE, PAGE_SIZE } from './item-query.input.ts';
import { findItem, type ItemPage, listCategories, listItems, readItemPage } from './list-items.ts';
import { letterTile, thumbAddress } from './pictures.ts';
import { MAX_ITEMS, type SavedItem, saveItems } from './save-items.ts';
import { deleteItem, saveItem } from './write-item.ts';

const UNLIMITED = -1;
const availableOf = (stockQty: number, held: number) =>
  stockQty === UNLIMITED ? UNLIMITED : Math.max(0, stockQty - held);

const usdOrNull = (cents: number | null | undefined) => (cents == null ? null : usdFromCents(cents));

/** The price in US dollars: `priceUsd`, or the native price if its currency is USD. */
const priceUsd = (item: ItemRecord) =>
  usdOrNull(item.priceUsdCents ?? (item.currency === 'USD' ? item.priceCents : null));

const InventoryItemType = builder.objectRef<ItemRecord>('InventoryItem').implement({
  description: "A product of a merchant's catalog.",
  authScopes: { $granted: 'inventoryItem', scope: 'inventory:read', may: 'catalog:read' },
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id, assigned by the server.' }),
    sku: t.exposeString('sku', { description: "The merchant's own identifier, unique within its catalog." }),
    name: t.exposeString('name', { description: 'The name shown to buyers.' }),
    wallet: t.field({ type: 'Wallet', description: 'The merchant that sells it.', resolve: (item) => item.merchant }),
    priceUsd: t.field({
      type: 'Usd',
      nullable: true,
      description: 'The price in US dollars; null if it is priced in another currency.',
      resolve: priceUsd,
    }),
    price: t.float({
      nullable: true,
      description: 'The native price, in major units of `currency`; null if it is priced by `priceUsd`.',
      resolve: (item) => usdOrNull(item.priceCents),
    }),
    currency: t.expose('currency', {
      type: CurrencyEnum,
      nullable: true,
      description: 'The currency of the native price: `USD` or `EUR`.',
    }),
    stockQty: t.exposeInt('stockQty', { description: 'The number in stock; -1 means unlimited.' }),
    held: t.exposeInt('held', { description: 'The number that unpaid receipts hold (`holdStock` of the shop).' }),
    available: t.int({
      description: 'The number that can be ordered: `stockQty` without `held`, at least 0; -1 means unlimited.',
      resolve: ({ stockQty, held }) => availableOf(stockQty, held),
    }),
    taxable: t.exposeBoolean('taxable', { description: 'Whether tax applies to it.' }),
    category: t.exposeString('category', { nullable: true, description: 'The category.' }),
    description: t.exposeString('description', { nullable: true, description: 'The description.' }),
    tags: t.stringList({ description: 'Tags, for filters and search.', resolve: (item) => [...item.tags] }),
    images: t.stringList({
      description: 'Pictures: https addresses or data URIs.',
      resolve: (item) => [...item.images],
    }),
    thumb: t.string({
      description: 'A thumbnail. Default: a tile with the first letter of the name.',
      resolve: (item) => item.thumb ?? letterTile(item.name),
    }),
    thumbUrl: t.string({
      nullable: true,
      description: 'The address of `thumb`; a data URI is served under `/images/`. Null where none was given.',
      resolve: ({ thumb }, _args, { settings }) => thumbAddress(settings.baseUrl, thumb),
    }),
    attributes: t.field({
      type: 'JSON',
      nullable: true,
      description: 'Any further data of the merchant.',
      resolve: (item) => item.attributes ?? null,
    }),
    costUsd: t.field({
      type: 'Usd',
      nullable: true,
      description: 'The merchant’s cost.',
      resolve: (item) => usdOrNull(item.costUsdCents),
    }),
    jurisdictionCode: t.exposeString('jurisdictionCode', { nullable: true, description: 'The tax jurisdiction.' }),
    createdAt: t.expose('createdAt', { type: 'Millis', description: 'When it was first saved.' }),
    updatedAt: t.expose('updatedAt', { type: 'Millis', description: 'When it was last saved.' }),
  }),
});

const InventoryPageType = builder.objectRef<ItemPage>('InventoryPage').implement({
  ...throughParent,
  description: 'One page of a catalog.',
  fields: (t) => ({
    items: t.field({
      type: [InventoryItemType],
      description: 'The items of the page, at most `pageSize`.',
      resolve: (page) => [...page.items],
    }),
    total: t.exposeInt('total', { description: 'The total number of matching items.' }),
    page: t.exposeInt('page', { description: 'The page number, counted from 0.' }),
    pageSize: t.exposeInt('pageSize', { description: 'The maximum number of items per page.' }),
  }),
});

const StockFilter = builder.enumType('StockFilter', {
  description: 'A filter by stock.',
  values: {
    in: { description: 'In stock, or unlimited.' },
    out: { description: 'Out of stock.' },
    low: { description: `Limited, with at most ${LOW_STOCK} pieces left.` },
    any: { description: 'No filter.' },
  } as const,
});
const TagsMode = builder.enumType('TagsMode', {
  description: 'How to match several tags.',
  values: { any: { description: 'At least one tag matches.' }, all: { description: 'All tags match.' } } as const,
});
const InventorySort = builder.enumType('InventorySort', {
  description: 'The sort key of a list of items.',
  values: {
    name: { description: 'By name.' },
    sku: { description: 'By SKU.' },
    priceUsd: { description: 'By price in US dollars.' },
    stockQty: { description: 'By stock.' },
    updatedAt: { description: 'By the time of the last change.' },
  } as const,
});
builder.queryFields((t) => {
  const filters = {
    q: t.arg.string({ description: 'Literal text in name, sku, description, category or tags, in any letter case.' }),
    category: t.arg.string({ description: 'Exactly this category.' }),
    taxable: t.arg.boolean({ description: 'Default: no filter.' }),
    stock: t.arg({ type: StockFilter, description: 'Default: `any`.' }),
    priceMin: t.arg({ type: 'Usd', description: 'At least this price, each item in its own currency.' }),
    priceMax: t.arg({ type: 'Usd', description: 'At most this price, each item in its own currency.' }),
    tags: t.arg.stringList({ description: 'Tags that items must have.' }),
    tagsMode: t.arg({ type: TagsMode, description: 'Default: `any`.' }),
    sort: t.arg({ type: InventorySort, description: 'Default: `updatedAt`.' }),
    order: t.arg({ type: SortOrder, description: 'Default: `desc`.' }),
  };
  return {
    inventory: t.connection(
      {
        type: InventoryItemType,
        description: "The caller's own catalog.",
        authScopes: { scope: 'inventory:read', may: 'catalog:read' },
        complexity: costOfPage,
        args: filters,
        resolve: (_, { first, last, before, after, ...query }, ctx) =>
          connect(
            { first, last, before, after },
            listItems(ctx.db, merchantOf(ctx.caller), parseInput(itemQuery, query)),
          ),
      },
      ...connectionTypes('Inventory', 'products'),
    ),
    inventoryPage: t.field({
      type: InventoryPageType,
      description:
        "A page of the caller's own catalog by its number, as `GET /api/inventory`. The time grows with the number, and writes may shift the pages: use `inventory` to read a whole catalog.",
      authScopes: { scope: 'inventory:read', may: 'catalog:read' },
      complexity: ({ limit }) => ({ field: 1, multiplier: limit ?? PAGE_SIZE }),
      args: {
        ...filters,
        limit: t.arg.int({ description: `Items per page, 1 to ${MAX_PAGE_SIZE}. Default: ${PAGE_SIZE}.` }),
        page: t.arg.int({ description: 'The page number, counted from 0.' }),
      },
      resolve: (_, args, ctx) => readItemPage(ctx.db, merchantOf(ctx.caller), parseInput(itemQuery, args)),
    }),
    inventoryCategories: t.stringList({
      description: "The categories of the caller's own catalog, in the order of their names; at most 500.",
      authScopes: { scope: 'inventory:read', may: 'catalog:read' },
      resolve: (_, _args, ctx) => listCategories(ctx.db, merchantOf(ctx.caller)),
    }),
    inventoryItem: t.field({
      type: InventoryItemType,
      nullable: true,
      description: "An item of the caller's own catalog, by its id or its SKU.",
      authScopes: { scope: 'inventory:read', may: 'catalog:read' },
      args: {
        by: t.arg({ type: ItemChoice, required: true, description: 'Which item.' }),
      },
      resolve: (_, { by }, ctx) => findItem(ctx.db, merchantOf(ctx.caller), by),
    }),
  };
});

const InventoryItemInput = builder.inputType('InventoryItemInput', {
  description:
    'A new product, or the fields to change of the product with this SKU. The price is either `priceUsd`, or `price` with `currency`.',
  fields: (t) => ({
    wallet: t.string({ description: "Optional; must be the caller's own merchant." }),
    sku: t.string({
      required: true,
      description: 'The SKU. The product is created if there is none with it, else changed.',
    }),
    name: t.string({ description: 'The name shown to buyers. Required for a new item.' }),
    priceUsd: t.field({ type: 'Usd', description: 'In US dollars, 0 or more.' }),
    price: t.float({ description: 'In major units of `currency`, 0 or more.' }),
    currency: t.field({ type: CurrencyEnum, description: '`USD` or `EUR`.' }),
    stockQty: t.int({ description: 'The number in stock; -1 means unlimited.' }),
    taxable: t.boolean({ description: 'Whether tax applies to it.' }),
    category: t.string({ description: 'Null clears.' }),
    description: t.string({ description: 'Null clears.' }),
    tags: t.stringList({ description: 'Replaces all tags.' }),
    images: t.stringList({ description: 'Replaces all pictures: https addresses or data URIs.' }),
    thumb: t.string({ description: 'A small picture. Null clears.' }),
    attributes: t.field({ type: 'JSON', description: 'An object of at most 8 KiB. Null clears.' }),
    costUsd: t.field({ type: 'Usd', description: 'The merchant’s cost. Null clears it.' }),
    jurisdictionCode: t.string({ description: 'Null clears.' }),
  }),
});

const SavedInventoryItemType = builder.objectRef<SavedItem>('SavedInventoryItem').implement({
  ...throughParent,
  description: 'What became of one entry of `saveInventoryItems`: the product, or why it was refused.',
  fields: (t) => ({
    sku: t.exposeString('sku', { description: 'The SKU of the entry, as it was sent.' }),
    item: t.field({
      type: InventoryItemType,
      nullable: true,
      description: 'The product; null if the entry was refused.',
      grantScopes: ['inventoryItem'],
      resolve: ({ outcome }) => (outcome instanceof Refusal ? null : outcome),
    }),
    error: t.field({
      type: ErrorCodeEnum,
      nullable: true,
      description: 'Why the entry was refused; null if it was saved.',
      resolve: ({ outcome }) => (outcome instanceof Refusal ? outcome.code : null),
    }),
    message: t.string({
      nullable: true,
      description: 'The same as a sentence.',
      resolve: ({ outcome }) => (outcome instanceof Refusal ? outcome.message : null),
    }),
    field: t.string({
      nullable: true,
      description: 'The field whose value was refused.',
      resolve: ({ outcome }) =>
        outcome instanceof Refusal && outcome.extra.field ? String(outcome.extra.field) : null,
    }),
  }),
});

builder.mutationFields((t) => ({
  saveInventoryItems: t.field({
    ...countsAs('inventoryBatches'),
    type: [SavedInventoryItemType],
    description: `Does what \`saveInventoryItem\` does for each entry, at most ${MAX_ITEMS}, in one transaction. Entries that are refused change nothing; the others are saved. Answers in the order of the entries. Idempotent.`,
    authScopes: { scope: 'inventory:write', mayWrite: 'catalog:write' },
    complexity: ({ input }) => ({ field: 1, multiplier: input.length }),
    args: { input: t.arg({ type: [InventoryItemInput], required: true, description: 'The items.' }) },
    resolve: (_, { input }, ctx) => saveItems(ctx, merchantOf(ctx.caller), input),
  }),
  saveInventoryItem: t.field({
    ...countsAs('inventoryWrites'),
    type: InventoryItemType,
    description: 'Creates an item of the catalog, or changes fields of it. Idempotent.',
    authScopes: { scope: 'inventory:write', mayWrite: 'catalog:write' },
    grantScopes: ['inventoryItem'],
    args: { input: t.arg({ type: InventoryItemInput, required: true, description: 'The item.' }) },
    resolve: (_, { input }, ctx) => saveItem(ctx, merchantOf(ctx.caller), parseInput(itemInput, input)),
  }),
  deleteInventoryItem: t.boolean({
    ...countsAs('inventoryDeletes'),
    description: 'Deletes an item from the catalog. Returns true, or an error.',
    authScopes: { scope: 'inventory:write', mayWrite: 'catalog:write' },
    args: { id: t.arg.id({ required: true, description: 'The item’s id.' }) },
    resolve: async (_, { id }, ctx) => {
      await deleteItem(ctx, merchantOf(ctx.caller), parseInput(itemDeletion, { id }).id);
      return true;
    },
  }),
}));
