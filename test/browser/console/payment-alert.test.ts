import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { visit } from '../browser.ts';
import { openScene } from '../scene.ts';
import { openInside } from './inside.ts';

const scene = await openScene();
const { shop, browser } = scene;

declare global {
  interface Window {
    inBackground: boolean;
    notes: { title: string; body: string; tag: string }[];
    tones: number;
  }
}

/** Records the notes and tones of a page, and lets the test say whether it is in the background. */
async function record(page: Page, { mayShow }: { readonly mayShow: boolean }): Promise<void> {
  await page.addInitScript((mayShow) => {
    Object.assign(window, { inBackground: false, notes: [], tones: 0 });
    Object.defineProperty(document, 'hidden', { get: () => window.inBackground });
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (when) {
      window.tones += 1;
      start.call(this, when);
    };
    if (!mayShow) return;
    // A browser without a screen refuses every notification.
    class Note extends EventTarget {
      static readonly permission: NotificationPermission = 'granted';
      constructor(title: string, options: NotificationOptions = {}) {
        super();
        window.notes.push({ title, body: options.body!, tag: options.tag! });
      }
    }
    Object.assign(window, { Notification: Note });
  }, mayShow);
  await page.reload();
  await page.locator('main h1').waitFor();
}

const heardOf = (page: Page) => page.evaluate(() => ({ notes: window.notes, tones: window.tones }));
const hide = (page: Page, inBackground: boolean) =>
  page.evaluate((value) => void Object.assign(window, { inBackground: value }), inBackground);

/** A new order, paid by its buyer; the live page shows it as settled. */
async function sell(page: Page, merchant: Awaited<ReturnType<typeof shop.merchant>>) {
  const order = await shop.order(merchant);
  const buyer = await visit(browser, order.url);
  await buyer.getByRole('button', { name: 'Pay with a test wallet' }).click();
  await page.locator(`[data-key="${order.receiptId}"]`).getByText('Settled').waitFor({ timeout: 30_000 });
  return order;
}

test('no payment passes unheard in the background once it was asked for, and none sounds before or in front', async () => {
  const merchant = await shop.merchant();
  const page = await openInside(scene, merchant.account, '/console/live');
  await record(page, { mayShow: true });
  await hide(page, true);
  await sell(page, merchant);
  expect(await heardOf(page)).toEqual({ notes: [], tones: 0 });

  await page.getByRole('button', { name: 'Tell me of payments' }).click();
  await page.getByText('plays a sound and shows a notification').waitFor();
  const { receiptId, totalUsd } = await sell(page, merchant);
  const note = {
    title: `$${totalUsd.toFixed(2)} paid`,
    body: expect.stringContaining('Stoneware mug'),
    tag: receiptId,
  };
  await expect.poll(() => heardOf(page)).toEqual({ notes: [note], tones: 2 });

  await hide(page, false);
  await sell(page, merchant);
  expect(await heardOf(page)).toEqual({ notes: [note], tones: 2 });

  await hide(page, true);
  await page.getByRole('button', { name: 'No longer tell me of payments' }).click();
  await sell(page, merchant);
  expect(await heardOf(page)).toEqual({ notes: [note], tones: 2 });
});

test('a browser that refuses notifications says that it only sounds, and still sounds', async () => {
  const merchant = await shop.merchant();
  const page = await openInside(scene, merchant.account, '/console/live');
  await record(page, { mayShow: false });
  await page.getByRole('button', { name: 'Tell me of payments' }).click();
  await page.getByText('it only plays a sound').waitFor();
  await page.reload();
  await page.getByText('it only plays a sound').click();
  await hide(page, true);
  await sell(page, merchant);
  expect(await heardOf(page)).toEqual({ notes: [], tones: 2 });
});
