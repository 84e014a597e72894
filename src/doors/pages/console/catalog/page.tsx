import { useClient } from '@urql/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useRights } from '../client/access.ts';
import { useRead, useWrite } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { useDialogs } from '../client/dialog.tsx';
import { Select } from '../client/field.tsx';
import { Icon } from '../client/icon.tsx';
import { type EmptyProps, LoadedRows } from '../client/loaded.tsx';
import { moneyText } from '../client/money-text.ts';
import { PageHead } from '../client/page-head.tsx';
import type { Wait } from '../client/patient.ts';
import { changeQuery } from '../client/query.ts';
import { pageVariables } from '../client/rows.tsx';
import { SearchBox } from '../client/search-box.tsx';
import { numberText } from '../client/typed-number.ts';
import { type CatalogItemFragment, CatalogItems, SaveCatalogItem } from '../generated/catalog.ts';
import { SellingShop, type SellingShopQuery } from '../generated/selling.ts';
import { chargedCents } from '../selling/charged.ts';
import { chargedText } from '../selling/fee.ts';
import { useTax } from '../selling/tax.tsx';
import { words } from '../shared/words.ts';
import { rowOf } from './columns.ts';
import { InlineEdit } from './inline-edit.tsx';
import { amountFrom, priceInput, priceOf, priceProblem, stockFrom, stockText, UNLIMITED } from './item.ts';
import { ItemDialog } from './item-dialog.tsx';
import { readCatalog } from './read-catalog.ts';
import { Thumb } from './thumb.tsx';

const STOCKS = ['in', 'low', 'out'] as const;

interface CatalogQuery {
  readonly q?: string;
  readonly category?: string;
  readonly stock?: string;
  readonly after?: string;
  readonly before?: string;
}

/** The catalog: what the shop sells. Price and stock are edited in the list, everything else in a dialog. */
export default function CatalogPage() {
  const { query } = useLocation() as ReturnType<typeof useLocation> & { query: CatalogQuery };
  const read = useRead(CatalogItems, {
    q: query.q || null,
    category: query.category || null,
    stock: STOCKS.find((stock) => stock === query.stock) ?? null,
    ...pageVariables(query),
  });
  const shop = useRead(SellingShop, {}).data;
  const { tax } = useTax(shop?.taxCatalog.jurisdictions);
  const mayWrite = useRights().may('catalog_write');
  const categories = read.data?.inventoryCategories ?? [];
  const dialogs = useDialogs();
  return (
    <>
      <PageHead title={words.catalog.title}>
        {mayWrite && (
          <Button brief="upload" href="/console/catalog/import">
            {words.catalog.import}
          </Button>
        )}
        <ExportButton />
        {mayWrite && (
          <Button kind="primary" brief="plus" href={dialogs.hrefOf('add')}>
            {words.catalog.add}
          </Button>
        )}
      </PageHead>
      <Filters query={query} categories={categories} />
      <LoadedRows
        read={read}
        of={read.data?.inventory}
        label={words.catalog.title}
        empty={noItems(query, mayWrite)}
        row={(item) => (
          <ItemRow
            key={item.id}
            item={item}
            charged={shop ? otherwiseCharged(shop, item, tax?.rate) : ''}
            href={mayWrite ? dialogs.hrefOf('edit', item.id) : null}
          />
        )}
      />
      <ItemDialog
        id={dialogs.recordOf('edit')}
        open={mayWrite && (dialogs.isOpen('edit') || dialogs.isOpen('add'))}
        categories={categories}
        onClose={dialogs.close}
      />
    </>
  );
}

function Filters({ query, categories }: { readonly query: CatalogQuery; readonly categories: readonly string[] }) {
  const { url, route } = useLocation();
  const change = (changes: Record<string, string>) =>
    route(changeQuery(url, { ...changes, after: '', before: '' }), true);
  return (
    <search class="filters">
      <SearchBox
        q={query.q ?? ''}
        label={words.catalog.search}
        hint={words.catalog.searchHint}
        onSearch={(q) => change({ q })}
      />
      {(categories.length > 0 || query.category) && (
        <Select
          label={words.catalog.category}
          value={query.category ?? ''}
          onChange={(category) => change({ category })}
        >
          <option value="">{words.catalog.allCategories}</option>
          {categories.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </Select>
      )}
      <Select label={words.catalog.stock} value={query.stock ?? ''} onChange={(stock) => change({ stock })}>
        <option value="">{words.catalog.anyStock}</option>
        {STOCKS.map((name) => (
          <option key={name} value={name}>
            {words.catalog.stocks[name]}
          </option>
        ))}
      </Select>
    </search>
  );
}

/** What a buyer of one is charged, with fee and tax, if that is not its price. */
function otherwiseCharged(shop: SellingShopQuery, item: CatalogItemFragment, taxRate = 0): string {
  const { amount, currency } = priceOf(item);
  const typed = [{ cents: Math.round(amount * 100), taxable: item.taxable }];
  return chargedCents(shop, typed, taxRate) === typed[0]!.cents ? '' : chargedText(shop, typed, taxRate, currency);
}

interface ItemRowProps {
  readonly item: CatalogItemFragment;
  readonly charged: string;
  /** Where it is edited; null for a role that only reads. */
  readonly href: string | null;
}

function ItemRow({ item, charged, href }: ItemRowProps) {
  const { sku, name, stockQty, held, category, thumbUrl } = item;
  const { amount, currency } = priceOf(item);
  const { send } = useWrite(SaveCatalogItem);
  const store = async (change: object, wrong: string | null): Promise<string | null> => {
    if (wrong !== null) return wrong;
    return (await send({ input: { sku, ...change } })) ? null : words.catalog.notSaved;
  };
  return (
    <li class="row catalog-row">
      <Thumb url={thumbUrl} name={name} />
      <span class="catalog-name">
        {href === null ? (
          <bdi>{name}</bdi>
        ) : (
          <a class="row-link" href={href}>
            <bdi>{name}</bdi>
          </a>
        )}
        <span class="soft cut">{[charged, sku, category].filter(Boolean).join(' · ')}</span>
      </span>
      <InlineEdit
        label={words.catalog.priceOf({ name })}
        value={numberText(amount, 'money')}
        shown={moneyText(amount, currency)}
        readOnly={href === null}
        inputMode="decimal"
        save={(text) => {
          const wrong = priceProblem(text, currency);
          return store(priceInput(amountFrom(text, currency) ?? 0, currency), wrong);
        }}
      />
      <InlineEdit
        label={words.catalog.stockOf({ name })}
        value={stockText(stockQty)}
        shown={stockQty === UNLIMITED ? words.catalog.unlimited : words.catalog.inStock({ stock: stockQty, held })}
        readOnly={href === null}
        placeholder={words.catalog.unlimited}
        inputMode="numeric"
        save={(text) => {
          const typed = stockFrom(text);
          return store({ stockQty: typed }, typed === null ? words.catalog.wrongStock : null);
        }}
      />
      {href !== null && <Icon name="right" />}
    </li>
  );
}

function noItems(query: CatalogQuery, mayWrite: boolean): EmptyProps {
  const { none, noneText, noneFound, noneFoundText, showAll, add } = words.catalog;
  if (query.q || query.category || query.stock)
    return { title: noneFound, text: noneFoundText, action: { href: '/console/catalog', text: showAll } };
  return { title: none, text: noneText, ...(mayWrite && { action: { href: '/console/catalog?do=add', text: add } }) };
}

/** Offers a text as a file. */
function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = `data:text/csv;charset=utf-8,${encodeURIComponent(text)}`;
  link.download = name;
  link.click();
}

/** Downloads the whole catalog as CSV, in the form that the import reads. */
function ExportButton() {
  const client = useClient();
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle');
  const [wait, setWait] = useState<Wait | null>(null);
  const stopping = useRef(new AbortController());
  useEffect(() => () => stopping.current.abort(), []);
  const run = async () => {
    setState('busy');
    try {
      const { signal } = stopping.current;
      const rows = (await readCatalog(client, { signal, onWait: setWait })).map(rowOf);
      const { default: csv } = await import('papaparse');
      // With the mark, spreadsheets read the file as UTF-8.
      download('catalog.csv', `\ufeff${csv.unparse(rows)}`);
      setState('idle');
    } catch {
      setState('failed');
    }
    setWait(null);
  };
  return (
    <>
      <Button brief="download" busy={state === 'busy'} onClick={() => void run()}>
        {words.catalog.export}
      </Button>
      <span class="export-failed" role="status">
        {wait !== null && words.catalog.exportWaits[wait]}
        {state === 'failed' && words.catalog.exportFailed}
      </span>
    </>
  );
}
