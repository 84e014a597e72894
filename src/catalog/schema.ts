import { resolveCursorConnection } from '@pothos/plugin-relay';
import { merchantOf } from '../core/caller.ts';
import { refuse } from '../core/errors.ts';
import { usdFromCents } from '../core/money.ts';
import { builder, throughParent } from '../graphql/builder.ts';
import { countsAs } from '../graphql/rate.ts';
import { deleteItem } from './delete-item.ts';
import { findItem } from './find-items.ts';
import { MAX_PAGE_SIZE, PAGE_SIZE } from './item-query.input.ts';
import type { ItemRecord } from './item-record.ts';
import { type ItemPage, listItems } from './list-items.ts';
import { saveItem } from './save-item.ts';
import { letterTile, thumbAddress } from './thumb.ts';
import { cursorOf, type PlacedItem, walkItems } from './walk-items.ts';

const usdOrNull = (cents: number | null | undefined) => (cents == null ? null : usdFromCents(cents));

/** The price in US dollars: as it was given, or the native price where that is in dollars. */
const priceUsd = (item: ItemRecord) =>
  usdOrNull(item.priceUsdCents ?? (item.currency === 'USD' ? item.priceCents : null));

const InventoryItemType = builder.objectRef<ItemRecord>('InventoryItem').implement({
  description: "A product of a merchant's catalog.",
  authScopes: { $granted: 'inventoryItem', scope: 'inventory:read', admin: true },
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Made by the server.' }),
    sku: t.exposeString('sku', { description: "The merchant's own name for it, unique within its catalog." }),
    name: t.exposeString('name', { description: 'What buyers see.' }),
    wallet: t.field({ type: 'Wallet', description: 'The merchant that sells it.', resolve: (item) => item.merchant }),
    priceUsd: t.field({
      type: 'Usd',
      nullable: true,
      description: 'The price in US dollars; null where it is priced in another currency.',
      resolve: priceUsd,
    }),
    price: t.float({
      nullable: true,
      description: 'The native price, in major units of `currency`; null where it is priced by `priceUsd`.',
      resolve: (item) => usdOrNull(item.priceCents),
    }),
    currency: t.exposeString('currency', { nullable: true, description: 'Of the native price: `USD` or `EUR`.' }),
    stockQty: t.exposeInt('stockQty', { description: 'How many there are; -1 is without limit.' }),
    taxable: t.exposeBoolean('taxable', { description: 'Whether tax applies to it.' }),
    category: t.exposeString('category', { nullable: true, description: 'Where it belongs.' }),
    description: t.exposeString('description', { nullable: true, description: 'What it is.' }),
    tags: t.stringList({ description: 'Words to find it by.', resolve: (item) => [...item.tags] }),
    images: t.stringList({
      description: 'Pictures: https addresses or data URIs.',
      resolve: (item) => [...item.images],
    }),
    thumb: t.string({
      description: 'A small picture; a tile with its first letter where none was given.',
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
      description: 'Whatever else the merchant keeps with it.',
      resolve: (item) => item.attributes ?? null,
    }),
    costUsd: t.field({
      type: 'Usd',
      nullable: true,
      description: 'What it costs the merchant.',
      resolve: (item) => usdOrNull(item.costUsdCents),
    }),
    jurisdictionCode: t.exposeString('jurisdictionCode', { nullable: true, description: 'Where it is taxed.' }),
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
      description: 'At most `pageSize`.',
      resolve: (page) => [...page.items],
    }),
    total: t.exposeInt('total', { description: 'How many items match in all.' }),
    page: t.exposeInt('page', { description: 'Which page this is, counted from 0.' }),
    pageSize: t.exposeInt('pageSize', { description: 'How many items a page has at most.' }),
  }),
});

const StockFilter = builder.enumType('StockFilter', {
  description: 'Which items by their stock.',
  values: {
    in: { description: 'There is some, or no limit.' },
    out: { description: 'There is none.' },
    any: {},
  } as const,
});
const TagsMode = builder.enumType('TagsMode', {
  description: 'How several tags are meant.',
  values: { any: { description: 'One of them will do.' }, all: { description: 'Every one of them.' } } as const,
});
const InventorySort = builder.enumType('InventorySort', {
  description: 'What a list of items is ordered by.',
  values: ['name', 'sku', 'priceUsd', 'stockQty', 'updatedAt'] as const,
});
const SortOrder = builder.enumType('SortOrder', {
  description: 'Which end comes first.',
  values: { asc: { description: 'The least.' }, desc: { description: 'The greatest.' } } as const,
});

builder.queryFields((t) => {
  const filters = {
    q: t.arg.string({ description: 'Literal text in name, sku, description, category or tags, in any letter case.' }),
    category: t.arg.string({ description: 'Exactly this category.' }),
    taxable: t.arg.boolean({ description: 'Left out: either.' }),
    stock: t.arg({ type: StockFilter, description: 'Left out: any.' }),
    priceMin: t.arg({ type: 'Usd', description: 'At least this price, each item in its own currency.' }),
    priceMax: t.arg({ type: 'Usd', description: 'At most this price, each item in its own currency.' }),
    tags: t.arg.stringList({ description: 'Tags to have.' }),
    tagsMode: t.arg({ type: TagsMode, description: 'Left out: any.' }),
    sort: t.arg({ type: InventorySort, description: 'Left out: updatedAt.' }),
    order: t.arg({ type: SortOrder, description: 'Left out: desc.' }),
  };
  return {
    inventory: t.field({
      type: InventoryPageType,
      description: "A page of the caller's own catalog.",
      authScopes: { scope: 'inventory:read', admin: true },
      complexity: ({ limit }) => ({ field: 1, multiplier: limit ?? PAGE_SIZE }),
      args: {
        ...filters,
        limit: t.arg.int({ description: `Items a page: 1 to ${MAX_PAGE_SIZE}, left out ${PAGE_SIZE}.` }),
        page: t.arg.int({ description: 'Counted from 0.' }),
      },
      resolve: (_, args, ctx) => listItems(ctx, merchantOf(ctx.caller), args),
    }),
    inventoryConnection: t.connection(
      {
        type: InventoryItemType,
        description: "The caller's own catalog, to be walked by cursors.",
        authScopes: { scope: 'inventory:read', admin: true },
        edgesNullable: { list: false, items: false },
        nodeNullable: false,
        complexity: ({ first, last }) => ({ field: 1, multiplier: first ?? last ?? PAGE_SIZE }),
        args: filters,
        resolve: (_, { first, last, before, after, ...query }, ctx) => {
          requirePageSize('first', first);
          requirePageSize('last', last);
          if (first != null && last != null) throw refuse('invalid_input', 'Give either first or last');
          return resolveCursorConnection<Promise<PlacedItem[]>>(
            {
              args: { first, last, before, after },
              defaultSize: PAGE_SIZE,
              maxSize: MAX_PAGE_SIZE,
              toCursor: cursorOf,
            },
            (walk) => walkItems(ctx, merchantOf(ctx.caller), query, walk),
          );
        },
      },
      {
        name: 'InventoryConnection',
        description: 'A stretch of a catalog.',
        edgesField: { description: 'The items, each with its cursor.' },
        ...throughParent,
      },
      {
        name: 'InventoryEdge',
        description: 'An item and where it stands.',
        nodeField: { description: 'The item.' },
        ...throughParent,
      },
    ),
    inventoryItem: t.field({
      type: InventoryItemType,
      nullable: true,
      description: "An item of the caller's own catalog, by either of its names.",
      authScopes: { scope: 'inventory:read', admin: true },
      args: {
        id: t.arg.id({ description: "The server's name for it." }),
        sku: t.arg.string({ description: "The merchant's name for it." }),
      },
      resolve: (_, names, ctx) => findItem(ctx, merchantOf(ctx.caller), names),
    }),
  };
});

function requirePageSize(field: 'first' | 'last', size: number | null | undefined): void {
  if (size == null || (size >= 1 && size <= MAX_PAGE_SIZE)) return;
  throw refuse('invalid_input', `${field} must be a whole number from 1 to ${MAX_PAGE_SIZE}`, { field });
}

const InventoryItemInput = builder.inputType('InventoryItemInput', {
  description:
    'A product by its sku, or those parts of one that change. Priced by either `priceUsd`, or `price` and `currency`.',
  fields: (t) => ({
    wallet: t.string({ description: "The caller's own merchant, where it is given at all." }),
    sku: t.string({
      required: true,
      description: 'Which product: made where there is none of this sku, else changed.',
    }),
    name: t.string({ description: 'What buyers see; a new item needs it.' }),
    priceUsd: t.field({ type: 'Usd', description: 'In US dollars, 0 or more.' }),
    price: t.float({ description: 'In major units of `currency`, 0 or more.' }),
    currency: t.string({ description: '`USD` or `EUR`, in any letter case.' }),
    stockQty: t.int({ description: '-1 is without limit.' }),
    taxable: t.boolean({ description: 'Whether tax applies to it.' }),
    category: t.string({ description: 'Null clears.' }),
    description: t.string({ description: 'Null clears.' }),
    tags: t.stringList({ description: 'Replaces all tags.' }),
    images: t.stringList({ description: 'Replaces all pictures: https addresses or data URIs.' }),
    thumb: t.string({ description: 'A small picture. Null clears.' }),
    attributes: t.field({ type: 'JSON', description: 'An object of at most 8 KiB. Null clears.' }),
    costUsd: t.field({ type: 'Usd', description: 'What it costs the merchant. Null clears.' }),
    jurisdictionCode: t.string({ description: 'Null clears.' }),
  }),
});

builder.mutationFields((t) => ({
  saveInventoryItem: t.field({
    ...countsAs('inventoryWrites'),
    type: InventoryItemType,
    description: 'Makes an item of the catalog, or changes parts of it; the same call twice is the same as once.',
    authScopes: { scope: 'inventory:write', adminWrite: true },
    grantScopes: ['inventoryItem'],
    args: { input: t.arg({ type: InventoryItemInput, required: true, description: 'The item.' }) },
    resolve: (_, { input }, ctx) => saveItem(ctx, merchantOf(ctx.caller), input),
  }),
  deleteInventoryItem: t.boolean({
    ...countsAs('inventoryDeletes'),
    description: 'Takes an item out of the catalog. True, or an error.',
    authScopes: { scope: 'inventory:write', adminWrite: true },
    args: { id: t.arg.id({ required: true, description: 'Which item.' }) },
    resolve: async (_, { id }, ctx) => {
      await deleteItem(ctx, merchantOf(ctx.caller), id);
      return true;
    },
  }),
}));
