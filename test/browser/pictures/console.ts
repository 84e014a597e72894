import type { Page } from 'playwright-core';
import { PAGES } from '../../../src/doors/pages/console/app/registry.ts';
import { fillConsole } from './console-data.ts';
import type { Album, Look, Scene, Studio } from './studio.ts';

/** A page of the console as the demo's merchant sees it. */
async function openInside(studio: Studio, look: Look, path: string): Promise<Page> {
  const page = await studio.open(path, look);
  await page.getByRole('button', { name: 'demo wallet' }).click();
  await page.locator('.frame').waitFor();
  await settled(page);
  return page;
}

async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  while ((await page.locator('[aria-busy="true"]').count()) > 0) await page.waitForTimeout(50);
}

/** What a shop system asks for. */
const CONNECTS = '?name=Medusa%20of%20Kaldi&return_url=https://shop.example/back&code_challenge=abc';

const scenes: Record<string, Scene> = Object.fromEntries(
  PAGES.filter(({ name, permission }) => name !== 'join' && permission !== 'operator').map(({ name, path }) => [
    name,
    async (studio: Studio, look: Look) => {
      const records: Readonly<Record<string, string>> = { ...(await fillConsole(studio)) };
      return openInside(
        studio,
        look,
        path.replace(/:(\w+)/g, (_, part: string) => {
          if (!records[part]) throw new Error(`No record for :${part} of ${path}`);
          return records[part];
        }) + (name === 'connect' ? CONNECTS : ''),
      );
    },
  ]),
);

/** The merchant's console. */
export const consolePages: Album = {
  scenes: {
    ...scenes,
    'sign-in': (studio, look) => studio.open('/console', look),
    'till-code': async (studio, look) => {
      const page = await openInside(studio, look, '/console/till');
      for (const key of ['1', '2', '5', '0']) await page.getByRole('button', { name: key, exact: true }).click();
      await page.getByRole('button', { name: 'Charge $12.50' }).click();
      await page.getByText('Scan to pay').waitFor();
      return page;
    },
  },
};
