import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { indexAll } from '../../../src/domain/reports/receipt-search/indexer.ts';
import { openScene } from '../scene.ts';
import { openInside } from './inside.ts';

/** 100,000 with `npm run long -- console`. */
const RECEIPTS = Number(process.env.CONSOLE_RECEIPTS ?? 500);
const PAGE = 50;
/** The pages that are turned, as many as there are up to this. */
const TURNED = Math.min(60, RECEIPTS / PAGE - 1);

const scene = await openScene();
const { shop } = scene;
const merchant = await shop.merchant();

async function seedReceipts(): Promise<void> {
  const database = shop.server.deps.db.orm.em.fork().getConnection();
  await database.execute(
    `insert into receipts (merchant, id, origin, status, announced_status, total_cents, currency, line_items,
         brand_name, created_at, updated_at)
       select ?, 'many-' || n, 'order', 'generated', 'generated', n,  'USD',
         '[{"label": "Coffee", "priceUsd": 4.5, "qty": 1}]', 'Shop', ?::int8 - n * 1000, ?::int8 - n * 1000
         from generate_series(1, ?) n on conflict do nothing`,
    [merchant.wallet, Date.now(), Date.now(), RECEIPTS],
  );
  await indexAll(shop.server.deps.db);
  await database.execute('analyze');
}
beforeAll(seedReceipts);

/** Goes to older receipts; how long they take to show, in ms. */
const turnPage = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const started = performance.now();
    const first = () => document.querySelector('.receipt-row a')?.getAttribute('href');
    const [before, links] = [first(), [...document.querySelectorAll<HTMLElement>('.pager a')]];
    links.at(-1)!.click();
    while (first() === before || document.querySelector('[aria-busy="true"]')) await new Promise(requestAnimationFrame);
    return performance.now() - started;
  });

const median = (values: readonly number[]): string => values.toSorted((a, b) => a - b)[values.length >> 1]!.toFixed(0);

test('a list of many receipts shows 50 at a time, with as many elements on its last page as on its first', async () => {
  const page = await openInside(scene, merchant.account, '/console/receipts');
  const rows = page.locator('.receipt-row');
  await expect.poll(() => rows.count()).toBe(PAGE);
  await page.reload();
  await rows.first().waitFor();
  const firstView = await page.evaluate(() => performance.now());
  const elements = () => page.evaluate(() => document.querySelectorAll('main *').length);
  const few = await elements();
  const times: number[] = [];
  const counts = new Set<number>();
  for (let n = 0; n < TURNED; n += 1) {
    times.push(await turnPage(page));
    counts.add(await rows.count());
  }
  expect([...counts]).toEqual([PAGE]);
  // The way to newer receipts is the only addition.
  expect((await elements()) - few).toBeLessThanOrEqual(6);
  const [early, late] = [times.slice(0, 10), times.slice(-10)].map(median);
  console.log(
    `console: ${RECEIPTS} receipts: first view of the list ${firstView.toFixed(0)} ms, ${few} elements; ` +
      `next page ${early} ms at first, ${late} ms after ${TURNED} pages`,
  );
});

/** Clicks a link of the navigation; how long the page takes to show its title, in ms. */
const changeMs = (page: Page, href: string, title: string) =>
  page.evaluate(
    async ([to, wanted]) => {
      const started = performance.now();
      document.querySelector<HTMLElement>(`.side .nav a[href="${to}"]`)!.click();
      while (!document.title.startsWith(wanted!)) await new Promise(requestAnimationFrame);
      return performance.now() - started;
    },
    [href, title] as const,
  );

// The goals are a first view within a second and a change of the page within 100 ms. A busy machine misses them.
test('the times of the first view and of a change of the page are reported', async () => {
  const page = await openInside(scene, merchant.account);
  await page.reload();
  const figures = await page.waitForFunction(() =>
    document.querySelector('.figure-value:not(:has(.skeleton))') ? performance.now() : null,
  );
  const firstMs = (await figures.jsonValue())!;
  const changes: number[] = [];
  for (const [href, title] of [
    ['/console/receipts', 'Receipts'],
    ['/console/catalog', 'Catalog'],
    ['/console/receipts', 'Receipts'],
    ['/console', 'Home'],
  ] as const)
    changes.push(await changeMs(page, href, title));
  console.log(
    `console: ${RECEIPTS} receipts: first view ${firstMs.toFixed(0)} ms, changes ${changes.map((ms) => ms.toFixed(0)).join(', ')} ms`,
  );
});
