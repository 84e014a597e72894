import { DAY_MS, offsetsOf, textOfDay, timeZoneOf } from '../../../base/core/time-zone.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { Walk } from '../receipt-search/walk-receipts.ts';

/**
 * What a column holds. `text`: any text, which a spreadsheet must not execute. `word`: a text of the server's own
 * vocabulary. `time`: epoch ms. `amount`: cents of a currency. `count`: a whole number. `decimal`: a number as decimal
 * text, with any number of digits.
 */
interface Kinds {
  readonly text: string;
  readonly word: string;
  readonly time: number;
  readonly amount: number;
  readonly count: number;
  readonly decimal: string;
}
export type ColumnKind = keyof Kinds;

/** A column of an export. */
export interface Column<Row> {
  readonly name: string;
  readonly kind: ColumnKind;
  /** For the documentation. */
  readonly about: string;
  readonly of: (row: Row) => string | number | null;
}

/** Makes the columns of one kind of row. */
export const columnOf =
  <Row>() =>
  <Kind extends ColumnKind>(
    name: string,
    kind: Kind,
    about: string,
    of: (row: Row) => Kinds[Kind] | null,
  ): Column<Row> => ({ name, kind, about, of });

export type ExportDeps = Pick<Deps, 'db' | 'chain' | 'chains' | 'clock'>;

/** One kind of rows that an export can have. */
export interface RowSet<Row> {
  readonly columns: readonly Column<Row>[];
  /** The most receipts of one statement, such that its rows are a few hundred kilobytes. */
  readonly receipts: number;
  /** The rows of receipts, in the order of the ids. */
  read(deps: ExportDeps, merchant: Wallet, ids: readonly string[]): Promise<readonly Row[]>;
  /**
   * The rows of the next receipts of a walk whose filter is a range of creation only, after the last row of the step
   * before, one row for each receipt. Without it, the ids of the receipts are read first.
   */
  next?(deps: ExportDeps, walk: Walk, last: Row | null): Promise<readonly Row[]>;
}

/** Rows of a merchant within a time, both ends included, epoch ms. */
export interface TimeRange {
  readonly merchant: Wallet;
  readonly from: number;
  readonly to: number;
  readonly direction: Walk['direction'];
  /** The most rows of one step. */
  readonly size: number;
}

/** Rows with a time of their own, in whose order they are exported. Several may belong to one receipt. */
export interface TimedRowSet<Row> {
  readonly columns: readonly Column<Row>[];
  readonly size: number;
  /** The next rows after the last one of the step before. */
  next(deps: ExportDeps, range: TimeRange, last: Row | null): Promise<readonly Row[]>;
  receiptOf(row: Row): string;
}

/** Sorts the rows of a lateral query by the position of their receipts, and keeps the order within a receipt. */
export const byPosition = <Row extends { readonly n: number }>(rows: readonly Row[]): Row[] =>
  rows.toSorted((one, other) => one.n - other.n);

/** Whether this is a name of the time zone database, as in `Europe/Berlin`. */
export const isTimezone = (name: string): boolean => timeZoneOf(name) !== null;

const pad = (value: number): string => String(value).padStart(2, '0');
const TWO_DIGITS = Array.from({ length: 60 }, (_, value) => pad(value));
const THREE_DIGITS = Array.from({ length: 1_000 }, (_, value) => String(value).padStart(3, '0'));

/** `2026-11-22T13:00:00.000`, in a fifth of the time of `toISOString`. A row has four times. */
function clockText(ms: number): string {
  const day = Math.floor(ms / DAY_MS);
  const ofDay = ms - day * DAY_MS;
  const seconds = Math.floor(ofDay / 1_000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const clock = `${TWO_DIGITS[hours]}:${TWO_DIGITS[minutes - hours * 60]}:${TWO_DIGITS[seconds - minutes * 60]}`;
  return `${textOfDay(day)}T${clock}.${THREE_DIGITS[ofDay - seconds * 1_000]}`;
}

/**
 * Makes the writer of times of a zone, in ISO 8601: `2026-11-22T13:00:00.000Z` in UTC,
 * `2026-11-22T14:00:00.000+01:00` elsewhere. The offset is always written, so the hour that a clock shows twice in
 * autumn is not ambiguous.
 */
export function timeWriter(timezone: string): (ms: number) => string {
  if (timezone === 'UTC') return (ms) => `${clockText(ms)}Z`;
  const offsetAt = offsetsOf(timezone);
  return (ms) => {
    const offset = offsetAt(ms);
    return clockText(ms + offset.ms) + offset.text;
  };
}

/**
 * Makes the writer of times of a zone as spreadsheets read dates: `2026-11-22 14:00:00`. With an offset they read it as
 * a text. Without one, the hour that a clock shows twice in autumn is ambiguous.
 */
export function spreadsheetTimeWriter(timezone: string): (ms: number) => string {
  const offsetAt = offsetsOf(timezone);
  return (ms) =>
    clockText(ms + offsetAt(ms).ms)
      .slice(0, 19)
      .replace('T', ' ');
}

/** The forms of times in CSV. */
export const TIME_FORMS = ['iso', 'spreadsheet'] as const;
export type TimeForm = (typeof TIME_FORMS)[number];
