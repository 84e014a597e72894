import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BPS_TOTAL, PLATFORM_MIN_BPS, resolveRecipients } from './shares.ts';
import type { Wallet } from './wallet.ts';

const wallet = (n: number) => `0x${n.toString(16).padStart(40, '0')}` as Wallet;
const merchant = wallet(0xa1);
const platform = wallet(0xf1);
const resolve = (recipients?: { address: string; sharesBps: number }[] | null) =>
  resolveRecipients({ recipients, merchant, platform });

test.each([[undefined], [null], [[]]])(
  'without recipients (%j) the merchant gets 9950 and the platform 50',
  (recipients) => {
    expect(resolve(recipients)).toEqual([
      { address: merchant, sharesBps: 9950 },
      { address: platform, sharesBps: 50 },
    ]);
  },
);

test('a merchant that is the platform recipient gets everything', () => {
  expect(resolveRecipients({ merchant: platform, platform })).toEqual([{ address: platform, sharesBps: 10_000 }]);
});

test('a merchant that is the platform recipient may list its share alone, beside others, or with the platform’s', () => {
  const partner = { address: wallet(0xb), sharesBps: 1_000 };
  const own = (sharesBps: number) => ({ address: platform, sharesBps });
  const resolveOwn = (recipients: { address: string; sharesBps: number }[]) =>
    resolveRecipients({ recipients, merchant: platform, platform });
  expect(resolveOwn([own(9_950)])).toEqual([own(10_000)]);
  expect(resolveOwn([own(8_950), partner])).toEqual([own(9_000), partner]);
  expect(resolveOwn([own(9_000), partner])).toEqual([own(9_000), partner]);
  expect(resolveOwn([{ ...partner, sharesBps: 9_950 }])).toEqual([{ ...partner, sharesBps: 9_950 }, own(50)]);
  expect(() => resolveOwn([own(9_949)])).toThrow('must add up to 10000; they add up to 9949');
});

test('the platform is added if the others add up to 9950', () => {
  expect(
    resolve([
      { address: wallet(1), sharesBps: 9000 },
      { address: wallet(2), sharesBps: 950 },
    ]),
  ).toEqual([
    { address: wallet(1), sharesBps: 9000 },
    { address: wallet(2), sharesBps: 950 },
    { address: platform, sharesBps: 50 },
  ]);
});

test('a listed platform keeps its share, and addresses are converted to lower case', () => {
  const loud = platform.toUpperCase().replace('0X', '0x');
  expect(
    resolve([
      { address: wallet(1), sharesBps: 9000 },
      { address: loud, sharesBps: 1000 },
    ]),
  ).toEqual([
    { address: wallet(1), sharesBps: 9000 },
    { address: platform, sharesBps: 1000 },
  ]);
});

test('10000 without the platform is refused with a message that names both ways', () => {
  expect(() => resolve([{ address: wallet(1), sharesBps: 10_000 }])).toThrow(
    /either list 0x0+f1 with at least 50 .* or leave it out .* 9950/,
  );
});

test.each([
  [
    'a share of zero',
    [{ address: wallet(1), sharesBps: 0 }],
    'recipients[0].sharesBps',
    'must be a whole number from 1',
  ],
  [
    'a broken share',
    [{ address: wallet(1), sharesBps: 99.5 }],
    'recipients[0].sharesBps',
    'must be a whole number from 1',
  ],
  [
    'a share above all',
    [{ address: wallet(1), sharesBps: 10_001 }],
    'recipients[0].sharesBps',
    'must be a whole number from 1',
  ],
  [
    'the zero address',
    [{ address: wallet(0), sharesBps: 9950 }],
    'recipients[0].address',
    'must not be the zero address',
  ],
  ['no address', [{ address: 'bob', sharesBps: 9950 }], 'recipients[0].address', 'must be 0x followed by 40'],
  [
    'the same address in two spellings',
    [
      { address: wallet(0xab), sharesBps: 9000 },
      { address: `0x${'0'.repeat(38)}AB`, sharesBps: 950 },
    ],
    'recipients[1].address',
    'is listed twice',
  ],
  [
    'less than 50 for the platform',
    [
      { address: platform, sharesBps: 49 },
      { address: wallet(1), sharesBps: 9951 },
    ],
    'recipients[0].sharesBps',
    "is the platform's and must be at least 50",
  ],
  ['a wrong sum', [{ address: platform, sharesBps: 9999 }], 'recipients', 'must add up to 10000; they add up to 9999'],
  [
    'a wrong sum without the platform',
    [{ address: wallet(1), sharesBps: 9949 }],
    'recipients',
    'add up to 9949 without the platform',
  ],
  [
    '101 recipients',
    Array.from({ length: 101 }, (_, i) => ({ address: wallet(i + 1), sharesBps: 1 })),
    'recipients',
    'must be at most 100',
  ],
])('%s is invalid_input naming the field', (_, recipients, field, sentence) => {
  expect(() => resolve(recipients)).toThrow(
    expect.objectContaining({
      code: 'invalid_input',
      extra: { field },
      message: expect.stringContaining(`${field} ${sentence}`),
    }),
  );
});

test('100 recipients are accepted', () => {
  const recipients = Array.from({ length: 99 }, (_, i) => ({ address: wallet(i + 1), sharesBps: 100 }));
  expect(resolve([...recipients, { address: platform, sharesBps: 100 }])).toHaveLength(100);
});

// Contract: errors.platform-recipient
test('without a platform recipient every split is refused', () => {
  const request = { merchant, platform: null };
  const refusal = expect.objectContaining({ code: 'platform_recipient_not_configured', status: 400 });
  expect(() => resolveRecipients(request)).toThrow(refusal);
  expect(() => resolveRecipients({ ...request, recipients: [{ address: wallet(1), sharesBps: 9950 }] })).toThrow(
    refusal,
  );
});

// Contract: limits.shares
test('every accepted split adds up to 10000, has no duplicates and gives the platform at least 50', () => {
  const shares = fc.array(fc.integer({ min: 1, max: 4000 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(shares, fc.boolean(), (parts, listed) => {
      const sum = parts.reduce((all, part) => all + part, 0);
      const rest = BPS_TOTAL - PLATFORM_MIN_BPS - sum;
      fc.pre(rest > 0);
      const recipients = [...parts, rest].map((sharesBps, i) => ({ address: wallet(i + 1), sharesBps }));
      if (listed) recipients.push({ address: platform, sharesBps: PLATFORM_MIN_BPS });
      const resolved = resolve(recipients);
      expect(resolved.reduce((all, { sharesBps }) => all + sharesBps, 0)).toBe(BPS_TOTAL);
      expect(new Set(resolved.map(({ address }) => address)).size).toBe(resolved.length);
      expect(resolved.find(({ address }) => address === platform)!.sharesBps).toBeGreaterThanOrEqual(PLATFORM_MIN_BPS);
    }),
  );
});
