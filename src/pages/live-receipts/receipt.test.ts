import { expect, test } from 'vitest';
import { toMarkup } from '../html.ts';
import {
  afterNews,
  type LiveReceipt,
  lastMovedFirst,
  renderReceipt,
  type StatusNews,
  statusWords,
  summary,
} from './receipt.ts';

const RECEIPT: LiveReceipt = {
  receiptId: 'R-1',
  merchant: `0x${'ab'.repeat(20)}`,
  paymentUrl: 'http://localhost:4000/portal/R-1?recipient=0xab&k=key',
  status: 'pending',
  seq: 3,
  totalUsd: 12.5,
  lineItems: [{ label: 'Mug', qty: 1, itemId: 'i1' }],
  createdAt: 1_000,
  movedAt: 1_000,
  tracking: null,
};
const news = (change: Partial<StatusNews>): StatusNews => ({
  receiptId: 'R-1',
  seq: 4,
  kind: 'status',
  status: 'tx_mined',
  tracking: null,
  at: 5_000,
  cursor: '1.1',
  ...change,
});

test('a repeated event, or one older than the list, changes nothing', () => {
  expect(afterNews(RECEIPT, news({ seq: 3 }))).toBe(RECEIPT);
  const after = afterNews(RECEIPT, news({}));
  expect(after).toMatchObject({ status: 'tx_mined', seq: 4, movedAt: 5_000 });
  expect(afterNews(after, news({}))).toBe(after);
});

test('tracking is shown until the money moves, and does not reorder the list', () => {
  const opened = afterNews(RECEIPT, news({ kind: 'tracking', status: 'pending', tracking: 'link_opened' }));
  expect(opened.movedAt).toBe(1_000);
  expect(toMarkup(renderReceipt(opened))).toContain('the buyer has opened the page');
  const mined = afterNews(opened, news({ seq: 5 }));
  expect(mined.tracking).toBeNull();
  expect([opened, mined].sort(lastMovedFirst)[0]).toBe(mined);
});

test('a summary names two items and counts the others, without tax and fee', () => {
  const line = (label: string, qty: number | null, itemId: string | null) => ({ label, qty, itemId });
  const lineItems = [
    line('Mug', 2, 'a'),
    line('Beans', 1, 'b'),
    line('Tax', 3, 'c'),
    line('Tax', null, null),
    line('Processing Fee', null, null),
  ];
  expect(summary({ lineItems })).toBe('Mug\u00a0×\u00a02, Beans and 1 more');
  expect(summary({ lineItems: [] })).toBe('Receipt');
});

test('labels and ids are escaped, and an id links only to its own page', () => {
  const bomb = '"><script>x</script>';
  const markup = toMarkup(
    renderReceipt({
      ...RECEIPT,
      receiptId: bomb,
      paymentUrl: `http://localhost:4000/portal/${encodeURIComponent(bomb)}?recipient=0xab&k=key`,
      lineItems: [{ label: bomb, qty: null, itemId: null }],
    }),
  );
  expect(markup).not.toContain('<script');
  expect(markup).toContain(`href="/portal/${encodeURIComponent(bomb)}?recipient=0xab&amp;k=key"`);
});

test('every status has a word, and an unknown status is shown unchanged', () => {
  expect(statusWords('tx_mismatch')).toBe('Partly paid');
  expect(statusWords('completed')).toBe('Settled');
  expect(statusWords('something_new')).toBe('something_new');
});
