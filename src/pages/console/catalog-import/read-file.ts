import csv from 'papaparse';
import { words } from '../words.ts';
import { COLUMNS, type CsvRow } from './columns.ts';

/** More rows are refused, as the browser would become slow. */
const MAX_ROWS = 20_000;

/** The rows of a CSV file, or a sentence on why there are none. */
export type FileRows =
  | { readonly rows: readonly CsvRow[]; readonly ignored: readonly string[] }
  | { readonly problem: string };

const nameOf = (header: string): string =>
  header
    .replace(/^\ufeff/, '')
    .trim()
    .toLowerCase();

/** The rows of a CSV text. Separators are found by themselves; columns with other names are ignored. */
export function rowsOf(text: string): FileRows {
  const { data, meta } = csv.parse<Record<string, string>>(text, {
    header: true,
    skipEmptyLines: 'greedy',
    transformHeader: nameOf,
  });
  const fields = meta.fields ?? [];
  if (!fields.includes('sku')) return { problem: words.import.noSkuColumn };
  if (data.length === 0) return { problem: words.import.noRows };
  if (data.length > MAX_ROWS) return { problem: words.import.tooManyRows(MAX_ROWS) };
  const rows = data.map((row) =>
    Object.fromEntries(COLUMNS.flatMap((name) => (name in row ? [[name, row[name] ?? '']] : []))),
  );
  return { rows, ignored: fields.filter((name) => !(COLUMNS as readonly string[]).includes(name)) };
}
