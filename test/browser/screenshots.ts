import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../../src/base/platform/files/project-dir.ts';
import { consolePages } from './pictures/console.ts';
import { live, reference } from './pictures/live.ts';
import { outside } from './pictures/outside.ts';
import { portal } from './pictures/portal.ts';
import { type Album, type Look, openStudio } from './pictures/studio.ts';
import { subscribePage } from './pictures/subscribe.ts';

/**
 * Takes pictures of the pages. Without an argument those of the README, into docs/images; with a folder, every page
 * in every state in it, on a phone, a tablet and a desktop, light and dark:
 *
 *     npx node test/browser/screenshots.ts [FOLDER [PAGE[/STATE] | SIZE | light | dark …]]
 */

const albums: Readonly<Record<string, Album>> = {
  portal,
  subscribe: subscribePage,
  live,
  reference,
  console: consolePages,
  outside,
};

const sizes: Readonly<Record<string, Look>> = {
  phone: { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
  tablet: { viewport: { width: 768, height: 1024 }, hasTouch: true },
  desktop: { viewport: { width: 1440, height: 900 } },
};

const SCHEMES = ['light', 'dark'] as const;
const isScheme = (word: string): boolean => SCHEMES.some((scheme) => scheme === word);

const desktop: Look = { viewport: { width: 1280, height: 900 }, deviceScaleFactor: 1.5, colorScheme: 'light' };
const hand: Look = { ...sizes.phone, viewport: { width: 390, height: 844 }, colorScheme: 'light' };

/** What the README shows. */
const README = {
  'portal-desktop.png': [portal, 'waiting', desktop],
  'portal-phone.png': [portal, 'confirming', hand],
  'console-desktop.png': [consolePages, 'home', desktop],
  'console-phone.png': [consolePages, 'till-code', hand],
} as const satisfies Record<string, readonly [Album, string, Look]>;

const [, , folder, ...wanted] = process.argv;
const studio = await openStudio();

async function picture(file: string, album: Album, name: string, look: Look, fullPage: boolean): Promise<void> {
  const page = await album.scenes[name]!(studio, look);
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: file, fullPage, animations: 'disabled' });
  if (name === 'receipt') await page.pdf({ path: file.replace(/png$/, 'pdf'), format: 'A4' });
  await album.tidy?.(studio, name, page);
  await page.context().close();
  process.stdout.write(`${file}\n`);
}

try {
  if (folder) {
    mkdirSync(folder, { recursive: true });
    const pages = wanted.filter((word) => !(word in sizes) && !isScheme(word));
    /** The values that were named, or all if none was. */
    const chosen = <Value extends string>(values: readonly Value[]): readonly Value[] => {
      const named = values.filter((value) => wanted.includes(value));
      return named.length > 0 ? named : values;
    };
    for (const [page, album] of Object.entries(albums))
      for (const name of Object.keys(album.scenes)) {
        if (pages.length > 0 && !pages.includes(page) && !pages.includes(`${page}/${name}`)) continue;
        for (const size of chosen(Object.keys(sizes)))
          for (const colorScheme of chosen(SCHEMES)) {
            const file = join(folder, `${page}-${name}-${size}-${colorScheme}.png`);
            await picture(file, album, name, { ...sizes[size], colorScheme }, !album.endless);
          }
      }
  } else {
    for (const [file, [album, name, look]] of Object.entries(README))
      await picture(join(projectDir, 'docs/images', file), album, name, look, false);
  }
} finally {
  await studio.stop();
}
