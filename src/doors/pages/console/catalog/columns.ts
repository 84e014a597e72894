import { escapeFormula, unescapeFormula } from '../../../../base/core/formula.ts';
import {
  isStorable,
  MAX_DESCRIPTION,
  MAX_ID,
  MAX_LABEL,
  MAX_WORD,
  MAX_WORDS,
  plainSku,
} from '../../../../base/core/limits.ts';
import type { CatalogExportQuery, Currency, InventoryItemInput } from '../generated/catalog.ts';
import { words } from '../shared/words.ts';
import { amountFrom, priceInput, priceOf, priceProblem, stockFrom, stockText } from './item.ts';

/** An item of the catalog as the export reads it. */
export type ExportedItem = CatalogExportQuery['inventory']['nodes'][number];

/** The columns of a CSV file of the catalog, in their order. */
export const COLUMNS = [
  'sku',
  'name',
  'price',
  'currency',
  'stock',
  'taxable',
  'category',
  'description',
  'tags',
] as const;

/** A column of a CSV file of the catalog. */
export type Column = (typeof COLUMNS)[number];
/** A row of a file; a column that the file does not have is missing. */
type CsvRow = Readonly<Partial<Record<Column, string>>>;

/** A row of a file, by the line that it begins on. */
export interface FileRow {
  readonly line: number;
  readonly cells: CsvRow;
  /** Why its cells do not belong to the columns; null if they do. */
  readonly problem: string | null;
}

/** An item as a row of a file. */
export function rowOf(item: ExportedItem): Record<Column, string> {
  const { amount, currency } = priceOf(item);
  return {
    sku: escapeFormula(item.sku),
    name: escapeFormula(item.name),
    price: amount.toFixed(2),
    currency,
    stock: stockText(item.stockQty),
    taxable: item.taxable ? 'yes' : 'no',
    category: escapeFormula(item.category ?? ''),
    description: escapeFormula(item.description ?? ''),
    tags: escapeFormula(item.tags.join(', ')),
  };
}

/** The value of a cell of the export. */
const plain = (text: string): string => unescapeFormula(text).trim();

/** What a row of a file would do. */
export type Change =
  | {
      readonly kind: 'added' | 'changed';
      readonly line: number;
      readonly input: InventoryItemInput;
      readonly name: string;
      readonly columns: readonly Column[];
    }
  | { readonly kind: 'unchanged'; readonly line: number; readonly name: string }
  | { readonly kind: 'wrong'; readonly line: number; readonly name: string; readonly problem: string };

const YES = /^(?:yes|y|true|1|x)$/i;
const NO = /^(?:no|n|false|0)$/i;

/** The longest texts, as the server takes them. */
const LONGEST = { sku: MAX_ID, name: MAX_LABEL, category: MAX_LABEL, description: MAX_DESCRIPTION } as const;

/** What is wrong with the texts of a row. The server refuses the same; a test compares them. */
function textProblem(row: CsvRow): string | null {
  for (const [column, most] of Object.entries(LONGEST))
    if ((row[column as Column] ?? '').length > most) return words.import.tooLong({ column, most });
  const tags = tagsOf(row.tags ?? '');
  if (tags.length > MAX_WORDS || tags.some((tag) => tag.length > MAX_WORD))
    return words.import.tooManyTags({ most: MAX_WORDS, longest: MAX_WORD });
  const broken = COLUMNS.find((column) => !isStorable(row[column] ?? '') || row[column]?.includes('\ufffd'));
  return broken ? words.import.brokenText({ column: broken }) : null;
}

/** What is wrong with the price of a row in its currency. */
function wrongPrice(price: string, currency: Currency): string | null {
  if (amountFrom(price, currency) !== null) return null;
  const other = currency === 'USD' ? 'EUR' : 'USD';
  return amountFrom(price, other) === null ? priceProblem(price, currency) : words.import.wrongSign({ currency });
}

/** What is wrong with a row; null if nothing is. */
function problemOf(row: CsvRow, isNew: boolean, currency: Currency): string | null {
  if (!row.sku) return words.import.noSku;
  if ((isNew || row.name !== undefined) && !row.name) return words.catalog.nameNeeded;
  if (row.currency && !/^(?:usd|eur)$/i.test(row.currency)) return words.import.wrongCurrency;
  const price = isNew || row.price !== undefined ? wrongPrice(row.price ?? '', currency) : null;
  if (price !== null) return price;
  if (row.stock !== undefined && stockFrom(row.stock) === null) return words.catalog.wrongStock;
  if (row.taxable && !YES.test(row.taxable) && !NO.test(row.taxable)) return words.import.wrongTaxable;
  return textProblem(row);
}

const tagsOf = (text: string): string[] =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean);

/** The input of the API for the columns of a row. Without a word on it, a new product is taxed, as in the form. */
function inputOf(
  row: CsvRow,
  columns: readonly Column[],
  known: Record<Column, string> | undefined,
  currency: Currency,
): InventoryItemInput {
  const has = (column: Column) => columns.includes(column);
  const amount = amountFrom(row.price ?? known?.price ?? '0', currency) ?? 0;
  return {
    sku: row.sku!,
    ...(has('name') && { name: row.name }),
    ...((has('price') || has('currency')) && priceInput(amount, currency)),
    ...(has('stock') && { stockQty: stockFrom(row.stock ?? '') }),
    ...((has('taxable') || !known) && { taxable: !row.taxable || YES.test(row.taxable) }),
    ...(has('category') && { category: row.category || null }),
    ...(has('description') && { description: row.description || null }),
    ...(has('tags') && { tags: tagsOf(row.tags ?? '') }),
  };
}

/** A value in the form in which it is compared. */
function compared(column: Column, text: string, currency: Currency): string {
  if (column === 'price') return (amountFrom(text, currency) ?? 0).toFixed(2);
  if (column === 'currency') return text.toUpperCase();
  if (column === 'taxable') return YES.test(text) ? 'yes' : 'no';
  return column === 'tags' ? tagsOf(text).join(', ') : text;
}

/** The columns whose empty cell says nothing: the product keeps what it has, and a new one is as the form proposes. */
const SILENT: readonly Column[] = ['currency', 'taxable'];

/**
 * What each row would do to a catalog.
 *
 * @param usual the currency of the shop, for new products of a row that names none
 */
export function changesOf(
  rows: readonly FileRow[],
  { items, usual }: { readonly items: readonly ExportedItem[]; readonly usual: Currency },
): Change[] {
  const known = new Map(items.map((item) => [item.sku, rowOf(item)]));
  const seen = new Set<string>();
  return rows.map(({ line, cells, problem: misfit }) => {
    const row = Object.fromEntries(
      Object.entries(cells).map(([column, text]) => [
        column,
        column === 'sku' ? plainSku(plain(text ?? '')) : plain(text ?? ''),
      ]),
    ) as CsvRow;
    const name = row.name || row.sku || '';
    const stored = known.get(row.sku ?? '');
    const currency = (row.currency || stored?.currency || usual).toUpperCase() === 'EUR' ? 'EUR' : 'USD';
    const problem =
      misfit ?? problemOf(row, stored === undefined, currency) ?? (seen.has(row.sku ?? '') ? words.import.twice : null);
    if (problem !== null) return { kind: 'wrong', line, name, problem };
    seen.add(row.sku!);
    const present = COLUMNS.filter((column) => row[column] !== undefined && (row[column] || !SILENT.includes(column)));
    const differs = (column: Column) =>
      compared(column, row[column]!, currency) !== compared(column, plain(stored![column]), currency);
    const columns = stored ? present.filter(differs) : present;
    if (stored && columns.length === 0) return { kind: 'unchanged', line, name };
    return { kind: stored ? 'changed' : 'added', line, name, columns, input: inputOf(row, columns, stored, currency) };
  });
}

/** A number in the form that a spreadsheet gives it: `00123` becomes `123`, `1E5` becomes `100000`. */
const asNumber = (sku: string): string | null =>
  /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(sku) && Number.isFinite(Number(sku)) ? String(Number(sku)) : null;

/** New SKUs that a spreadsheet may have made of others, as `123` of `00123`. */
export function respelled(
  changes: readonly Change[],
  items: readonly ExportedItem[],
): { readonly sku: string; readonly of: string }[] {
  const numbers = new Map(items.flatMap(({ sku }) => (asNumber(sku) === null ? [] : [[asNumber(sku), sku] as const])));
  return changes.flatMap((change) => {
    if (change.kind !== 'added') return [];
    const of = numbers.get(asNumber(change.input.sku));
    return of === undefined ? [] : [{ sku: change.input.sku, of }];
  });
}
