import { describe, expect, test } from 'vitest';
import { wordsFrom } from '../../../base/core/messages/fill.ts';
import { wordsOf } from '../../../base/core/messages/words.ts';
import { failureCatalogue } from '../../../domain/sales/receipts/failures.ts';
import type { ReceiptStatus } from '../../../domain/sales/receipts/lifecycle.ts';
import { formatCents } from '../shared/amounts.ts';
import { momentText } from '../shared/dates.ts';
import { toMarkup } from '../shared/html.ts';
import { shownLabel } from '../shared/labels.ts';
import { readingIn } from '../shared/reading.ts';
import { failureWords } from './failure-words.ts';
import { renderPortalPage } from './page.ts';
import { renderStage } from './panels.ts';
import { announcement, idleUi, type Say, type StageUi, stageModel, stageName, totalLabel } from './stage.ts';
import { hash, now, usdcQuote, viewOf } from './test/portal-view.ts';
import type { PortalView } from './view.ts';

const assets = { script: '/_next/static/portal.A.js', style: '/_next/static/portal.B.css' };
const page = (view: PortalView) => renderPortalPage(view, assets, 'bm9uY2U');
const say = wordsOf('payment', 'en');
const stage = (receipt: Parameters<typeof viewOf>[0]) =>
  toMarkup(renderStage(say, stageModel(viewOf(receipt)), idleUi, null));

/** The visible text of markup. */
const textOf = (markup: string) =>
  markup
    .replaceAll(/<(style|script)\b[\s\S]*?<\/\1>/g, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');

test.each(Object.entries(failureCatalogue))(
  'a page for the failure %s shows no code and no advice meant for the shop',
  (code, [, , action]) => {
    const text = textOf(page(viewOf({ status: 'failed', failure: { code } })));
    expect(text).toContain(failureWords(code, 'en'));
    expect(text).not.toContain(code);
    expect(text).not.toContain(action);
    expect(text).not.toMatch(/PORTAL_|\bbuyer\b|the shop:/i);
  },
);

test('money that the shop must look at is mentioned only while the receipt waits for money', () => {
  const text = (status: ReceiptStatus, unmatched: boolean) => textOf(stage({ status, unmatched }));
  const sentence = 'A payment arrived that Northwind must look at before it counts';
  expect(text('pending', true)).toContain(sentence);
  expect(text('pending', true)).toContain('do not pay again: tell Northwind');
  expect(text('pending', false)).not.toContain(sentence);
  for (const status of ['tx_mined', 'tx_mismatch', 'paid', 'completed'] as const)
    expect(text(status, true), status).not.toContain(sentence);
});

test('no page asks for an exact amount or asks the buyer who sent a payment', () => {
  for (const status of ['pending', 'tx_mismatch', 'failed'] as const)
    expect(textOf(page(viewOf({ status, unmatched: true }))), status).not.toMatch(/exact|last digits|did you send/i);
  expect(textOf(page(viewOf()))).toContain('Any amount counts, and parts add up.');
});

test('after a part the page says what arrived and what is missing', () => {
  const missing = { token: 'USDC', amount: '23400000', display: '23.4' };
  const text = textOf(stage({ status: 'tx_mismatch', missing, receivedUsdCents: 10_601 }));
  expect(text).toContain('23.40 USDC are missing');
  expect(text).toContain('$106.01 of your payment arrived.');
});

test('a payment in parts, which may be of several tokens, is shown in dollars', () => {
  const history = (['pending', 'tx_mismatch', 'paid'] as const).map((status) => ({ status, at: now }));
  const paid = { token: 'USDT', display: '23.4' };
  const text = textOf(stage({ status: 'paid', transactionHash: hash, paid, history, receivedUsdCents: 12_941 }));
  expect(text).toContain('Amount $129.41');
  expect(text).not.toContain('23.40');
});

test('a surplus is shown with who can send it back, and nothing is shown without one', () => {
  const paid = { token: 'USDC', display: '133.41' };
  for (const status of ['tx_mined', 'paid', 'completed'] as const) {
    const text = textOf(stage({ status, transactionHash: hash, paid, receivedUsdCents: 13_341 }));
    expect(text, status).toContain('More than the total $4.00');
    expect(text, status).toContain('Northwind sees that you paid more than the total, and can send it back.');
    expect(textOf(stage({ status, transactionHash: hash, paid }))).not.toContain('More than the total');
  }
});

test('the page says how long a confirmation takes, before and after the payment', () => {
  expect(textOf(stage({ status: 'pending' }))).toContain('Usually confirmed within 2 minutes.');
  expect(textOf(stage({ status: 'tx_mined', transactionHash: hash }))).toContain('usually takes about 2 minutes');
});

test('an unknown failure is shown in general words', () => {
  expect(failureWords('constructor', 'en')).toBe(failureWords('PORTAL_SYS_GENERIC_FAILURE', 'en'));
});

describe('progress shows N of M for each status, with the word for the status in bold', () => {
  const table: [ReceiptStatus, reached: number, steps: string][] = [
    ['generated', 1, 'Waiting Seen Paid Settled'],
    ['pending', 1, 'Waiting Seen Paid Settled'],
    ['tx_mined', 2, 'Waiting Seen Paid Settled'],
    ['paid', 3, 'Waiting Seen Paid Settled'],
    ['completed', 4, 'Waiting Seen Paid Settled'],
    ['tx_mismatch', 2, 'Waiting Partly paid Paid Settled'],
    ['failed', 2, 'Waiting Failed Paid Settled'],
    ['refunded', 4, 'Waiting Seen Paid Refunded'],
  ];
  test.each(table)('%s is step %d of 4', (status, reached, steps) => {
    const markup = stage({ status, transactionHash: hash });
    const names = [...markup.matchAll(/class="step-name">([^<]*)/g)].map(([, name]) => name);
    expect(names.join(' ')).toBe(steps);
    expect(markup.match(/class="step (done|now)"/g)).toHaveLength(reached);
    expect(markup).toContain(`step ${reached} of 4"`);
    const current = /class="step now"[\s\S]*?class="step-name">([^<]*)/.exec(markup)?.[1];
    expect(current).toBe(status === 'generated' ? 'Waiting' : say(`step.${status}`));
  });
});

test('every date from the server has one style and its time zone', () => {
  const history = (['pending', 'tx_mined', 'paid', 'completed'] as const).map((status, n) => ({ status, at: now + n }));
  const markup = page(viewOf({ status: 'completed', history, transactionHash: hash }));
  const times = [...markup.matchAll(/<time [^>]*>([^<]*)<\/time>/g)].map(([, text]) => text);
  expect(times.length).toBeGreaterThanOrEqual(5);
  for (const time of times) expect(time).toMatch(/^(\d{1,2} [A-Z][a-z]{2,3} \d{4}, )?\d\d:\d\d UTC$/);
  expect(momentText(now, 'America/New_York', 'en')).toMatch(/^5 Jan 2026, 07:00 (GMT-5|EST)$/);
});

test('a paid page keeps the exact amount that was paid', () => {
  for (const status of ['tx_mined', 'paid', 'completed', 'refunded'] as const)
    expect(stage({ status, transactionHash: hash, paid: { token: 'USDC', display: '129.410037' } })).toContain(
      '><bdi>129.410037 USDC</bdi></dd>',
    );
});

test('the rounding remainder has its own line', () => {
  const share = {
    name: 'Northwind',
    wallet: `0x${'70'.repeat(20)}`,
    token: 'USDC',
    display: '129.410036',
    released: true,
    transactionHash: hash,
  };
  const settled = (remainder: PortalView['remainder']) =>
    textOf(page(viewOf({ status: 'completed' }, { settlement: [share], remainder })));
  expect(settled({ token: 'USDC', display: '0.000001' })).toContain('Rounding 0.000001 USDC Shares are rounded down.');
  expect(settled(null)).not.toContain('Rounding');
});

test('an unpaid page links back to the shop with the status', () => {
  const returnUrl = 'https://shop.example/cart';
  for (const status of ['pending', 'tx_mismatch', 'failed'] as const)
    expect(stage({ status, returnUrl })).toContain(
      `href="https://shop.example/cart?receiptId=R-1&amp;status=${status}" rel="noopener">Back to <bdi>Northwind</bdi>`,
    );
  expect(stage({ status: 'pending' })).not.toContain('Back to');
  for (const status of ['tx_mined', 'completed'] as const)
    expect(stage({ status, returnUrl, transactionHash: hash })).not.toContain('Back to');
});

test('labels stay as they are, units stay with numbers, and a tax names its rate and jurisdiction', () => {
  expect(shownLabel('Processing Fee')).toBe('Processing Fee');
  expect(shownLabel('Espresso beans, 250 g')).toBe('Espresso beans, 250\u00a0g');
  expect(shownLabel('2 mugs, 12 oz each')).toBe('2 mugs, 12\u00a0oz each');
  const view = viewOf();
  const [first] = view.receipt.lineItems;
  view.receipt.lineItems = [first!, { kind: 'tax', label: 'Tax', note: '9.5 %, US-CA-LA', priceUsdCents: 1127 }];
  expect(textOf(page(view))).toContain('Tax 9.5 %, US-CA-LA $11.27');
});

test('the e-mail field promises only that the shop receives the address', () => {
  const text = textOf(page(viewOf({}, { asksEmail: true })));
  expect(text).toContain('Your e-mail address (optional)');
  expect(text).toMatch(/Northwind receives it with your order\. No message is sent from this page\./);
});

test('a mismatch without money asks for the whole payment, and ends with the receipt', () => {
  const elsewhere = { status: 'tx_mismatch', transactionHash: null, transactionTimestamp: null } as const;
  expect(stageName(stageModel(viewOf(elsewhere)), idleUi)).toBe('waiting');
  expect(stageName(stageModel(viewOf({ ...elsewhere, expiresAt: now - 1 })), idleUi)).toBe('ended');
  const part = { status: 'tx_mismatch', expiresAt: now - 1 } as const;
  expect(stageName(stageModel(viewOf(part)), idleUi)).toBe('short');
});

test('a returned part of a payment is not shown as paid, and has no receipt to print', () => {
  const history = (['pending', 'tx_mismatch', 'failed', 'refunded'] as const).map((status) => ({ status, at: now }));
  const shown = textOf(stage({ status: 'refunded', history }));
  expect(shown).toContain('Waiting (done) Partly paid (done)');
  expect(shown).not.toContain('Print or save');
  expect(textOf(stage({ status: 'refunded' }))).toContain('Print or save');
});

test('an amount in Arabic is not turned around by marks of direction', () => {
  expect(formatCents(6_378, 'USD', 'ar')).toMatch(/^63\.78\sUS\$$/);
});

test('the script has each message of the stages that it may draw', () => {
  const card = { label: 'Stripe', opensInNewTab: false, test: false };
  const gasless = viewOf().tokens.map((token) => ({ ...token, gasless: true }));
  const views: Partial<PortalView>[] = [
    {},
    { card, testWallet: false, tokens: gasless, renewable: true },
    { quote: null, againPath: '/portal/R-1/again' },
    { quote: { ...usdcQuote, expiresAt: now - 1 }, key: 'k' },
  ];
  const OPEN = ['pending', 'tx_mined', 'tx_mismatch', 'failed', 'paid', 'completed', 'refunded'] as const;
  const uis: Partial<StageUi>[] = [{}, { leavingIn: 5 }, { sentHash: hash }, { quoting: 'USDC' }, { busy: '…' }];
  const language = 'de';
  const reading = readingIn(language);
  for (const rest of views)
    for (const returnUrl of [null, 'https://shop.example/cart'])
      for (const [at, from] of OPEN.entries()) {
        const shown = viewOf({ status: from, returnUrl }, { ...rest, reading });
        const [, sent = ''] = /id="words" data-words='([^']*)'/.exec(page(shown)) ?? [];
        const have = wordsFrom<'payment'>(JSON.parse(sent).payment, language);
        const has = (draw: (words: Say) => string, about: string) =>
          expect(draw(have), about).toBe(draw(wordsOf('payment', language)));
        for (const status of from === 'completed' || from === 'refunded' ? OPEN.slice(at) : OPEN)
          for (const expiresAt of [null, now + 60_000, now - 1])
            for (const ui of uis) {
              const receipt = { status, returnUrl, expiresAt, transactionHash: hash, receivedUsdCents: 99_900 };
              const model = stageModel(viewOf(receipt, { ...rest, reading }));
              const running = { ...idleUi, script: true, ...ui };
              const about = `${from} ${status} ${JSON.stringify(ui)}`;
              has((words) => toMarkup(renderStage(words, model, running, null)), about);
              has((words) => announcement(words, model, stageName(model, running)), about);
              has((words) => totalLabel(words, stageName(model, running)), about);
            }
      }
});
