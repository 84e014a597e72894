import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnOf, isTimezone, spreadsheetTimeWriter, timeWriter } from './column.ts';
import { formatOf, textCell } from './formats.ts';

interface Row {
  readonly text: string | null;
  readonly cents: number | null;
}
const column = columnOf<Row>();
const columns = [column('text', 'text', '', ({ text }) => text), column('cents', 'amount', '', ({ cents }) => cents)];
const written = (name: 'csv' | 'jsonl', rows: readonly Row[]) => {
  const format = formatOf(name, columns, { timezone: 'UTC' });
  return format.head + rows.map(format.row).join('');
};

/** What a reader that is not a spreadsheet does with a cell of the kind `text`. */
const unescaped = (cell: string) => cell.replace(/^'('*[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20])/, '$1');

const TEXTS = [
  '=1+1',
  '=HYPERLINK("http://evil.test","x")',
  '+49 30 1234',
  '-2',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  '＝1+1',
  "'=1",
  "''@x",
  "'plain",
  'a,b',
  'a "quoted" word',
  'two\nlines',
  'two\r\nlines',
  ' spaces ',
  'Grüße 🧾',
  'a=b',
  '',
];

test('a CSV parser reads every text as it was, and no cell begins as a formula does', () => {
  const cells = parse(
    written(
      'csv',
      TEXTS.map((text) => ({ text, cents: 1 })),
    ),
    { columns: true },
  ) as { text: string }[];
  expect(cells.map(({ text }) => unescaped(text))).toEqual(TEXTS);
  for (const { text } of cells) expect(text).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
});

test('numbers are not escaped, also negative ones', () => {
  const amounts = [0, 1, 10, 199, -1, -250, 1_000_000_000, null];
  const cells = parse(
    written(
      'csv',
      amounts.map((cents) => ({ text: '', cents })),
    ),
    { columns: true },
  ) as Row[];
  expect(cells.map(({ cents }) => cents)).toEqual([
    '0.00',
    '0.01',
    '0.10',
    '1.99',
    '-0.01',
    '-2.50',
    '10000000.00',
    '',
  ]);
  expect(textCell('-2.50')).toBe("'-2.50");
});

test('each line of JSON lines is an object with the same values', () => {
  const rows = [...TEXTS.map((text) => ({ text, cents: 199 })), { text: null, cents: null }];
  const lines = written('jsonl', rows).split('\n').slice(0, -1);
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    rows.map(({ text, cents }) => ({ text, cents: cents === null ? null : 1.99 })),
  );
});

test.each([
  ['UTC', '2026-10-25T00:30:00.123Z', '2026-10-25T00:30:00.123Z'],
  // The hour that clocks show twice.
  ['Europe/Berlin', '2026-10-25T00:30:00.123Z', '2026-10-25T02:30:00.123+02:00'],
  ['Europe/Berlin', '2026-10-25T01:30:00.123Z', '2026-10-25T02:30:00.123+01:00'],
  ['Asia/Kathmandu', '2026-11-22T23:59:59.999Z', '2026-11-23T05:44:59.999+05:45'],
  ['America/St_Johns', '2026-11-22T02:00:00.000Z', '2026-11-21T22:30:00.000-03:30'],
  ['Etc/UTC', '2026-11-22T02:00:00.000Z', '2026-11-22T02:00:00.000+00:00'],
])('in %s, %s is %s', (timezone, utc, expected) => {
  const text = timeWriter(timezone)(Date.parse(utc));
  expect(text).toBe(expected);
  expect(Date.parse(text)).toBe(Date.parse(utc));
});

test('a time in UTC is what toISOString writes', () => {
  const utc = timeWriter('UTC');
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (date) => {
      expect(utc(date.getTime())).toBe(date.toISOString());
    }),
  );
});

test('only names of the time zone database are time zones', () => {
  for (const name of ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Asia/Kathmandu'])
    expect([name, isTimezone(name)]).toEqual([name, true]);
  for (const name of ['', 'Mars/Base', '+01:00', '-0100', 'Europe/Berlin\0', '__proto__', 'x'.repeat(500)])
    expect([name, isTimezone(name)]).toEqual([name, false]);
});

test.each([
  ['UTC', '2026-11-22T13:00:00.000Z', '2026-11-22 13:00:00'],
  ['Europe/Berlin', '2026-11-22T23:30:00.999Z', '2026-11-23 00:30:00'],
  ['America/St_Johns', '2026-07-01T02:00:00.000Z', '2026-06-30 23:30:00'],
])('for a spreadsheet, in %s, %s is the date %s, in CSV only', (timezone, utc, expected) => {
  const at = Date.parse(utc);
  expect(spreadsheetTimeWriter(timezone)(at)).toBe(expected);
  const times = [columnOf<number>()('at', 'time', '', (ms) => ms)];
  expect(formatOf('csv', times, { timezone, times: 'spreadsheet' }).row(at)).toBe(`${expected}\n`);
  const [line] = formatOf('jsonl', times, { timezone, times: 'spreadsheet' }).row(at).split('\n');
  expect(Date.parse(JSON.parse(line!).at)).toBe(at);
});
