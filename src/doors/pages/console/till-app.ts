import type { FastifyInstance, FastifyRequest } from 'fastify';
import { wordsOf } from '../../../base/core/messages/words.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { readSite } from '../../../domain/shop/merchants/site.ts';
import { html, toMarkup } from '../shared/html.ts';
import { palette, toHex } from '../shared/theme.ts';
import { languageFor } from './language.ts';

/** Where the web manifest is, by which a browser installs the till. */
export const TILL_MANIFEST_PATH = '/console/till.webmanifest';
const ICON_PATH = '/console/till-icon.svg';

const KEYS = 'M212 256h.1M256 256h.1M300 256h.1M212 322h.1M256 322h.1M300 322h.1';

/** The icon of the till: its keys, on the colour of the site. The safe zone of maskable icons is a circle of 80 %. */
function iconOf({ accent, 'on-accent': onAccent }: ReturnType<typeof palette>): string {
  const stroke = html`fill="none" stroke="${toHex(onAccent!)}" stroke-linecap="round" stroke-linejoin="round"`;
  return toMarkup(html`<svg viewBox="0 0 512 512" xmlns="http://www.w3.org/2000/svg">
<path fill="${toHex(accent!)}" d="M0 0h512v512H0z"/>
<path ${stroke} stroke-width="24" d="M156 116h200v280H156zM206 176h100"/>
<path ${stroke} stroke-width="36" d="${KEYS}"/>
</svg>`);
}

/** The files that make the till an app of a phone or a tablet. They are of the site and say nothing of a merchant. */
export function mountTillApp(server: FastifyInstance, deps: Deps): void {
  const siteOf = (request: FastifyRequest) => readSite(deps.db, deps.settings, request.host.toLowerCase());
  server.get(TILL_MANIFEST_PATH, async (request, reply) => {
    const { theme } = await siteOf(request);
    const language = languageFor(request);
    const title = wordsOf('consoleSell', language)('till.title');
    const { paper } = palette(theme, 'light');
    return reply.type('application/manifest+json').send({
      id: '/console/till',
      lang: language,
      name: `${title} · ${theme.brandName}`,
      short_name: title,
      start_url: '/console/till',
      scope: '/console',
      display: 'standalone',
      background_color: toHex(paper!),
      theme_color: toHex(paper!),
      icons: ['any', 'maskable'].map((purpose) => ({ src: ICON_PATH, sizes: 'any', type: 'image/svg+xml', purpose })),
    });
  });
  server.get(ICON_PATH, async (request, reply) => {
    const { theme } = await siteOf(request);
    return reply
      .type('image/svg+xml')
      .header('content-security-policy', "default-src 'none'")
      .send(iconOf(palette(theme, 'light')));
  });
}
