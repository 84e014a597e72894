import csv from 'papaparse';
import { COLUMNS, type FileRow } from '../catalog/columns.ts';
import { words } from '../shared/words.ts';

/** More rows are refused, as the browser would become slow. An export may have as many. */
const MAX_ROWS = 100_000;

/** The rows of a CSV file, or a sentence on why there are none. */
export type FileRows =
  | { readonly rows: readonly FileRow[]; readonly ignored: readonly string[] }
  | { readonly problem: string };

const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '');

/** The lines of a text. Each kind of line break counts, as editors show it. */
const breaksIn = (text: string): number => text.match(/\r\n|\n|\r/g)?.length ?? 0;

/** The rows of a CSV text with the lines that they begin on. */
function withLines(rows: readonly (readonly string[])[], first: number) {
  let line = first;
  return rows.map((cells) => {
    const at = { line, cells };
    line += 1 + cells.reduce((sum, cell) => sum + breaksIn(cell), 0);
    return at;
  });
}

/**
 * The rows of a CSV text. Separators are found by themselves, or named in a first line `sep=;`. Columns with other
 * names are ignored. A file with a wrong quotation mark is refused: where the rows behind it begin is not known.
 */
export function rowsOf(given: string): FileRows {
  const whole = given.replace(/^\ufeff/, '');
  const named = /^"?sep=(.)"?[^\S\r\n]*(?:\r\n|\n|\r)/i.exec(whole);
  const text = named ? whole.slice(named[0].length) : whole;
  const { data, errors } = csv.parse<string[]>(text, named ? { delimiter: named[1]! } : {});
  const all = withLines(data, named ? 2 : 1);
  const quotes = errors.find(({ type }) => type === 'Quotes');
  if (quotes) {
    const line = all[quotes.row ?? 0]?.line ?? 1;
    return {
      problem: quotes.code === 'MissingQuotes' ? words.import.openQuote({ line }) : words.import.strayQuote({ line }),
    };
  }
  const [header, ...filled] = all.filter(({ cells }) => !isBlank(cells));
  const fields = (header?.cells ?? []).map((name) => name.trim().toLowerCase());
  if (!fields.includes('sku')) return { problem: words.import.noSkuColumn };
  const twice = fields.find((name, n) => isColumn(name) && fields.indexOf(name) !== n);
  if (twice) return { problem: words.import.columnTwice({ name: twice }) };
  if (filled.length === 0) return { problem: words.import.noRows };
  if (filled.length > MAX_ROWS) return { problem: words.import.tooManyRows({ most: MAX_ROWS }) };
  const rows = filled.map(({ line, cells }) => ({
    line,
    cells: Object.fromEntries(fields.flatMap((name, n) => (isColumn(name) ? [[name, cells[n] ?? '']] : []))),
    // Only columns that are ignored may end early.
    problem:
      cells.length > fields.length || fields.slice(cells.length).some(isColumn)
        ? words.import.wrongCells({ found: cells.length, wanted: fields.length })
        : null,
  }));
  return { rows, ignored: fields.filter((name) => name && !isColumn(name)) };
}

const isColumn = (name: string): boolean => (COLUMNS as readonly string[]).includes(name);
