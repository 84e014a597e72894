import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type NumberKind, numberFrom, numberText, readNumber } from './typed-number.ts';

const LOCALES = [
  ...['en-US', 'en-IN', 'de-DE', 'de-CH', 'de-AT', 'fr-FR', 'fr-CA', 'fr-CH', 'es-ES', 'es-MX', 'it-IT', 'pt-BR'],
  ...['pl-PL', 'sv-SE', 'nb-NO', 'ar-EG', 'ar-SA', 'ar-MA', 'fa-IR', 'ja-JP', 'zh-CN', 'ko-KR', 'hi-IN', 'bn-BD'],
  ...['hi-IN-u-nu-deva', 'ja-JP-u-nu-fullwide', 'mr-IN', 'ne-NP', 'my-MM', 'th-TH-u-nu-thai', 'he-IL', 'tr-TR'],
];

const cents = fc.integer({ min: 0, max: 1_000_000_000 });
const locale = fc.constantFrom(...LOCALES);
const currency = fc.constantFrom('USD', 'EUR');

test('an amount that the console shows can be typed back, in every locale, with and without its sign', () => {
  fc.assert(
    fc.property(cents, locale, currency, fc.constantFrom('narrowSymbol', 'symbol', 'code'), (n, l, c, display) => {
      const shown = new Intl.NumberFormat(l, { style: 'currency', currency: c, currencyDisplay: display }).format(
        n / 100,
      );
      expect([shown, numberFrom(shown, 'money', c)]).toEqual([shown, n / 100]);
      const bare = new Intl.NumberFormat(l, { minimumFractionDigits: 2 }).format(n / 100);
      expect([bare, numberFrom(bare, 'money', c)]).toEqual([bare, n / 100]);
    }),
    { numRuns: 2_000 },
  );
});

const scaled = (kind: NumberKind): fc.Arbitrary<number> =>
  ({
    money: cents.map((n) => n / 100),
    rate: fc.integer({ min: 0, max: 10_000_000_000 }).map((n) => n / 1_000_000),
    percent: fc.integer({ min: 0, max: 1_000_000 }).map((n) => n / 10_000),
    whole: fc.integer({ min: 0, max: 999_999_999 }),
  })[kind];

test.each(['money', 'rate', 'percent', 'whole'] as const)(
  'the text that a %s field begins with is read as the same number, in every locale',
  (kind) => {
    fc.assert(
      fc.property(scaled(kind), locale, (value, l) => {
        expect(numberFrom(numberText(value, kind, l), kind)).toBe(value);
      }),
      { numRuns: 1_000 },
    );
  },
);

test('a count and a percentage that the console shows can be typed back, in every locale', () => {
  fc.assert(
    fc.property(scaled('whole'), scaled('percent'), locale, (count, percent, l) => {
      expect(numberFrom(new Intl.NumberFormat(l).format(count), 'whole')).toBe(count);
      const shown = new Intl.NumberFormat(l, { style: 'percent', maximumFractionDigits: 4 }).format(percent / 100);
      expect(numberFrom(shown, 'percent')).toBe(percent);
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ['12.5', 12.5],
  ['12,50', 12.5],
  ['1250', 1250],
  ['1,250.00', 1250],
  ['1.250,00', 1250],
  ['1.250.000', 1_250_000],
  ['12,34,567.5', 1_234_567.5],
  ['1’250.00', 1250],
  ["1'250.50", 1250.5],
  ['1\u202f250,00', 1250],
  ['1\u00a0250', 1250],
  ['1 250', 1250],
  ['1250,5', 1250.5],
  ['１２.５０', 12.5],
  ['１，２５０．００', 1250],
  ['١٬٢٥٠٫٥٠', 1250.5],
  ['۱٬۲۵۰', 1250],
  ['१,२५०.५०', 1250.5],
  ['\u200f٧٤٨٫٠٦ US$', 748.06],
  ['$ 12.50', 12.5],
  ['12,50 $', 12.5],
  ['12,50\u00a0$\u00a0US', 12.5],
  ['USD 12.50', 12.5],
  ['1234.5000', 1234.5],
  ['0,5', 0.5],
])('%s is an amount', (text, value) => {
  expect(readNumber(text, 'money', 'USD')).toEqual({ value });
});

test.each(['1,250', '1.250', '12.000', '999,999', '١,٢٥٠', '１．２５０', '$1,250', '12.505'])(
  '%s, which can be read in two ways, is asked about and not guessed',
  (text) => {
    const typed = readNumber(text, 'money', 'USD');
    expect(typed).toHaveProperty('either');
    expect(numberFrom(text, 'money', 'USD')).toBeNull();
    expect((typed as { either: number[] }).either.some((value) => value >= 1000)).toBe(true);
  },
);

test('the two readings are the amounts that it can be', () => {
  expect(readNumber('1,250', 'money')).toEqual({ either: [1250, 1.25] });
  // An amount has two decimals, so one reading is left, which is asked about all the same.
  expect(readNumber('1,234', 'money')).toEqual({ either: [1234] });
  expect(readNumber('1.085', 'rate')).toEqual({ either: [1085, 1.085] });
});

test('a count has no decimals and a percentage no thousands, so they can be read in one way only', () => {
  expect(readNumber('1,250', 'whole')).toEqual({ value: 1250 });
  expect(readNumber('8.875', 'percent')).toEqual({ value: 8.875 });
  expect(readNumber('8,875 %', 'percent')).toEqual({ value: 8.875 });
  expect(readNumber('1.5', 'whole')).toBeNull();
});

test.each([
  ...['', ' ', 'abc', '-5', '1-2', '1.2.3', '1,2,3', '1,25,00', '1.250,00.5', '1,250.00,5', '12.345.6', '1..5', '.5'],
  ...['5.', '1e5', '0x10', '€ 5', '5 EUR', '$5$', '$$5', '1 25', "1'25", '٫٫', '٥٫٥٫٥', '1 250 5', 'Infinity'],
])('%j is no amount in US dollars', (text) => {
  expect(readNumber(text, 'money', 'USD')).toBeNull();
});

test('whatever is typed is read as nothing, or as numbers that are finite and not negative', () => {
  const piece = fc.constantFrom('1', '٢', '３', '.', ',', ' ', "'", '٫', '٬', '$', '%', '-', '\u200f', '000');
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece).map((pieces) => pieces.join('')),
      ),
      fc.constantFrom<NumberKind>('money', 'rate', 'percent', 'whole'),
      (text, kind) => {
        const typed = readNumber(text, kind, 'USD');
        const values = typed === null ? [] : 'value' in typed ? [typed.value] : typed.either;
        expect(values.every((value) => Number.isFinite(value) && value >= 0)).toBe(true);
      },
    ),
    { numRuns: 2_000 },
  );
});
