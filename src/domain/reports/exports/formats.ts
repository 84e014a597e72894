import { escapeFormula } from '../../../base/core/formula.ts';
import { type Column, type ColumnKind, spreadsheetTimeWriter, type TimeForm, timeWriter } from './column.ts';

/** How times are written. */
interface Times {
  /** An IANA name. */
  readonly timezone: string;
  /** In CSV; programs read the others. */
  readonly times?: TimeForm;
}

/** How rows become text. */
export interface Format {
  /** Before the first row. */
  readonly head: string;
  /** One row, from which the columns read their values, with its line end. */
  row(row: unknown): string;
  /** The last line of an export that failed; empty if the format has none. */
  fault(body: object): string;
}

type Cell = (value: never) => string;

/** `1999` → `19.99`. */
const amountText = (cents: number): string => (cents / 100).toFixed(2);

const QUOTED = /[",\r\n]/;

const quoted = (text: string): string => (QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A text as a cell, which a spreadsheet does not execute. */
export const textCell = (text: string): string => quoted(escapeFormula(text));

/** Comma-separated values (RFC 4180) with a line of names. Nothing for null. */
function csv(columns: readonly Column<never>[], { timezone, times }: Times): Format {
  const time = times === 'spreadsheet' ? spreadsheetTimeWriter(timezone) : timeWriter(timezone);
  const cells = {
    text: textCell,
    word: quoted,
    time,
    amount: amountText,
    count: String,
    decimal: String,
  } satisfies Record<ColumnKind, Cell>;
  const kinds = columns.map(({ kind }) => cells[kind] as Cell);
  return {
    head: `${columns.map(({ name }) => name).join(',')}\n`,
    row(row) {
      let line = '';
      for (let i = 0; i < columns.length; i++) {
        const value = columns[i]!.of(row as never);
        if (i > 0) line += ',';
        if (value !== null) line += kinds[i]!(value as never);
      }
      return `${line}\n`;
    },
    fault: () => '',
  };
}

/** One JSON object per line. Amounts and counts are numbers; other decimals are texts, as they have more digits. */
function jsonLines(columns: readonly Column<never>[], { timezone }: Times): Format {
  const time = timeWriter(timezone);
  const values = {
    text: (text: string) => JSON.stringify(text),
    word: (text: string) => `"${text}"`,
    time: (ms: number) => `"${time(ms)}"`,
    amount: amountText,
    count: String,
    decimal: (text: string) => `"${text}"`,
  } satisfies Record<ColumnKind, Cell>;
  const kinds = columns.map(({ kind }) => values[kind] as Cell);
  const names = columns.map(({ name }, i) => `${i === 0 ? '{' : ','}"${name}":`);
  return {
    head: '',
    row(row) {
      let line = '';
      for (let i = 0; i < columns.length; i++) {
        const value = columns[i]!.of(row as never);
        line += names[i] + (value === null ? 'null' : kinds[i]!(value as never));
      }
      return `${line}}\n`;
    },
    fault: (body) => `${JSON.stringify(body)}\n`,
  };
}

const FORMATS = { csv, jsonl: jsonLines } as const;
export type FormatName = keyof typeof FORMATS;
export const FORMAT_NAMES = Object.keys(FORMATS) as [FormatName, ...FormatName[]];

/** The format of an export with these columns. */
export const formatOf = (name: FormatName, columns: readonly Column<never>[], times: Times): Format =>
  FORMATS[name](columns, times);
