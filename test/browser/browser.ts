import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import type { AxeResults, RunOptions } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { chromiumArgs, findChromium } from '../support/services/chromium.ts';

export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
export const desktop = { viewport: { width: 1280, height: 900 } };
/** The narrowest that a page must fit: a small phone, or a page enlarged four times (WCAG 1.4.10). */
export const narrow = { width: 320, height: 640 };

/** The narrowest widths at which the console shows its rows as columns, and its navigation at the side. */
const tablets = [
  { width: 660, height: 1024 },
  { width: 860, height: 1024 },
];

/** Limits are for what hangs: a busy machine may need this long. */
const LAUNCH_MS = 120_000;
const WAIT_MS = 60_000;

let browser: Browser | undefined;

/**
 * The machine's Chromium. The files of a worker share it, because starting one takes a second; each visit has a context
 * of its own. It ends with the worker.
 */
export async function openBrowser(): Promise<Browser> {
  if (!browser?.isConnected())
    browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArgs, timeout: LAUNCH_MS });
  return browser;
}

export interface Visit extends BrowserContextOptions {
  /** Done to the page before it goes anywhere. */
  readonly before?: (page: Page) => Promise<unknown>;
  /** What the console may say, where being denied something is what the test is about. */
  readonly denied?: RegExp;
}

/**
 * A page of its own browser context, closed after the test. Console errors, exceptions and violations of its policy
 * fail the test that opened it. The page moves little by default: without a GPU, endless animations cost more CPU than
 * the rest of the page.
 */
export async function visit(browser: Browser, url: string, { before, denied, ...options }: Visit = {}): Promise<Page> {
  const context = await browser.newContext({ ...desktop, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    // That a page which is not there was answered with 404 is no fault of the page.
    if (message.type() !== 'error' || message.location().url === url || denied?.test(message.text())) return;
    faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  onTestFinished(async () => {
    await context.close();
    expect(faults).toEqual([]);
  });
  await before?.(page);
  await page.goto(url);
  return page;
}

interface AxeInPage {
  run(context: Document, options: RunOptions): Promise<AxeResults>;
}

/** The state that the page is in, as its own markup names it. */
export const stageOf = (page: Page) => page.locator('[data-stage]').getAttribute('data-stage');

/** Waits until the page has come to a state, without being loaded again. */
export async function reaches(page: Page, stage: string, timeout = WAIT_MS): Promise<void> {
  await page.locator(`[data-stage="${stage}"]`).waitFor({ timeout });
}

/**
 * Records each state that the page goes through from now on, in order; `stages` gives them. A reload would lose the
 * record, and so fail the test.
 */
export async function recordStages(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const seen: string[] = [];
    const look = () => {
      const now = document.querySelector<HTMLElement>('[data-stage]')?.dataset.stage;
      if (now && seen.at(-1) !== now) seen.push(now);
    };
    look();
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
    Object.assign(window, { stagesSeen: seen });
  });
  return () => page.evaluate(() => (window as unknown as { stagesSeen: string[] }).stagesSeen);
}

/** Amount in base units and address, as the page shows them. */
export async function readRequest(page: Page, decimals: number): Promise<{ amount: bigint; payTo: `0x${string}` }> {
  const [whole = '', fraction = ''] = (await page.locator('#amount .exact').innerText()).split('.');
  const payTo = (await page.locator('#address').innerText()).trim();
  return { amount: BigInt(whole + fraction.padEnd(decimals, '0')), payTo: payTo as `0x${string}` };
}

/** Fails with each thing that axe finds against WCAG 2.2 AA; with `rules`, against these of its rules. */
export async function expectAccessible(page: Page, rules?: readonly string[]): Promise<void> {
  // What is on its way in is not what stays. An animation that is cancelled, as by a redraw, is over too.
  await page.evaluate(() =>
    Promise.allSettled(
      document.getAnimations().map((one) => one.effect?.getTiming().iterations === Infinity || one.finished),
    ),
  );
  expect(await (page.frames().length > 1 ? violationsWithFrames(page, rules) : violationsOf(page, rules))).toEqual([]);
}

/** What axe found, as far as a failed test shows it. */
interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Minified: compiling the whole source takes longer than a run. */
const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const textOf = ({ id, nodes }: Finding) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`;

/** Runs axe where it was loaded before, without the page of its own that the builder opens for every run. */
async function violationsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  const options: RunOptions = {
    runOnly: rules ? { type: 'rule', values: [...rules] } : { type: 'tag', values: TAGS },
    resultTypes: ['violations'],
  };
  const violations = await page.evaluate(async (wanted) => {
    const results = await (window as unknown as { axe: AxeInPage }).axe.run(document, wanted);
    return results.violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) }));
  }, options);
  return violations.map(textOf);
}

/** Looks into frames too, also of other origins. */
async function violationsWithFrames(page: Page, rules?: readonly string[]): Promise<string[]> {
  const builder = new AxeBuilder({ page, axeSource });
  if (rules) builder.withRules([...rules]);
  else builder.withTags(TAGS);
  return (await builder.analyze()).violations.map(textOf);
}

/** Readable for everyone, in either colour scheme and at each width, without anything to scroll for sideways. */
export async function expectWellMade(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  // The other rules do not depend on the colours.
  await page.emulateMedia({ colorScheme: 'light' });
  await expectAccessible(page, ['color-contrast', 'link-in-text-block']);
  for (const viewport of [narrow, phone.viewport, ...tablets, desktop.viewport]) {
    await page.setViewportSize(viewport);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
  }
}
