import { escapeFormula, unescapeFormula } from '../../../core/formula.ts';
import { amountFrom, priceInput, priceOf, stockFrom, stockText } from '../catalog/item.ts';
import type { CatalogExportQuery, InventoryItemInput } from '../generated/catalog.ts';
import { words } from '../words.ts';

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

type Column = (typeof COLUMNS)[number];
/** A row of a file; a column that the file does not have is missing. */
export type CsvRow = Readonly<Partial<Record<Column, string>>>;

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

const YES = /^(?:yes|true|1|x)$/i;
const NO = /^(?:no|false|0|)$/i;

/** What is wrong with a row; null if nothing is. */
function problemOf(row: CsvRow, isNew: boolean): string | null {
  if (!row.sku) return words.import.noSku;
  if (row.sku.length > 256) return words.import.longSku;
  if ((isNew || row.name !== undefined) && !row.name) return words.catalog.nameNeeded;
  if ((isNew || row.price !== undefined) && amountFrom(row.price ?? '') === null) return words.catalog.wrongPrice;
  if (row.currency && !/^(?:usd|eur)$/i.test(row.currency)) return words.import.wrongCurrency;
  if (row.stock !== undefined && stockFrom(row.stock) === null) return words.catalog.wrongStock;
  if (row.taxable !== undefined && !YES.test(row.taxable) && !NO.test(row.taxable)) return words.import.wrongTaxable;
  return null;
}

const tagsOf = (text: string): string[] =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean);

/** The input of the API for the columns of a row. */
function inputOf(
  row: CsvRow,
  columns: readonly Column[],
  known: Record<Column, string> | undefined,
): InventoryItemInput {
  const has = (column: Column) => columns.includes(column);
  const currency = (row.currency || known?.currency || 'USD').toUpperCase() === 'EUR' ? 'EUR' : 'USD';
  return {
    sku: row.sku!,
    ...(has('name') && { name: row.name }),
    ...((has('price') || has('currency')) && priceInput(amountFrom(row.price ?? known?.price ?? '0') ?? 0, currency)),
    ...(has('stock') && { stockQty: stockFrom(row.stock ?? '') }),
    ...(has('taxable') && { taxable: YES.test(row.taxable ?? '') }),
    ...(has('category') && { category: row.category || null }),
    ...(has('description') && { description: row.description || null }),
    ...(has('tags') && { tags: tagsOf(row.tags ?? '') }),
  };
}

/** A value in the form in which it is compared. */
function compared(column: Column, text: string): string {
  if (column === 'price') return (amountFrom(text) ?? 0).toFixed(2);
  if (column === 'currency') return text.toUpperCase();
  if (column === 'taxable') return YES.test(text) ? 'yes' : 'no';
  return column === 'tags' ? tagsOf(text).join(', ') : text;
}

/** What each row would do to a catalog. The first row of the file is line 2, after the names of the columns. */
export function changesOf(rows: readonly CsvRow[], items: readonly ExportedItem[]): Change[] {
  const known = new Map(items.map((item) => [item.sku, rowOf(item)]));
  const seen = new Set<string>();
  return rows.map((given, n) => {
    const row = Object.fromEntries(
      Object.entries(given).map(([column, text]) => [column, plain(text ?? '')]),
    ) as CsvRow;
    const line = n + 2;
    const name = row.name || row.sku || '';
    const stored = known.get(row.sku ?? '');
    const problem = problemOf(row, stored === undefined) ?? (seen.has(row.sku ?? '') ? words.import.twice : null);
    if (problem !== null) return { kind: 'wrong', line, name, problem };
    seen.add(row.sku!);
    const present = COLUMNS.filter((column) => row[column] !== undefined && !(column === 'currency' && !row.currency));
    const columns = stored
      ? present.filter((column) => compared(column, row[column]!) !== compared(column, plain(stored[column])))
      : present;
    if (stored && columns.length === 0) return { kind: 'unchanged', line, name };
    return { kind: stored ? 'changed' : 'added', line, name, columns, input: inputOf(row, columns, stored) };
  });
}
