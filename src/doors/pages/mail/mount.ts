import type { FastifyInstance } from 'fastify';
import { languageOf } from '../../../base/core/messages/languages.ts';
import { wordsOf } from '../../../base/core/messages/words.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { findMerchant } from '../../../domain/shop/merchants/find.ts';
import { readPreference, stopNotices } from '../../../domain/webhooks/mail/preferences.ts';
import type { HttpGuard } from '../../http/server/http-guard.ts';
import { html } from '../shared/html.ts';
import { ENGLISH, readingOf } from '../shared/reading.ts';
import { sendPage } from '../shared/send-page.ts';
import { messagePage, type PageAssets, shell } from '../shared/shell.ts';
import { memberIn, provesStop } from './stop-link.ts';

/**
 * Where the link in a notice leads. Opening it changes nothing, as programs open links as well: its button does, and so
 * does the one click of a mail program (RFC 8058), which is the same request.
 */
export async function mountMail(
  server: FastifyInstance,
  deps: Deps,
  guard: HttpGuard,
  assets: PageAssets,
): Promise<void> {
  await server.register((scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      ['application/x-www-form-urlencoded', 'multipart/form-data'],
      { parseAs: 'string', bodyLimit: 1_024 },
      (_, _body, done) => done(null, null),
    );
    scope.route<{ Querystring: { m?: unknown; w?: unknown; k?: unknown } }>({
      method: ['GET', 'POST'],
      url: '/mail/stop',
      onRequest: (request, reply) => guard.limit(request, reply, 'others'),
      async handler(request, reply) {
        const key = memberIn(request.query);
        const preference = key && (await readPreference(deps.db, key));
        const proven = preference && provesStop(deps.settings, key, preference.email, request.query.k);
        // A second click finds nothing to stop, and nothing that it could tell of.
        if (!proven) {
          const reading = readingOf(request);
          const say = wordsOf('pages', reading.language);
          return sendPage(reply, reading, 404, (nonce) =>
            messagePage(reading, assets, nonce, 'question', say('nowhere.title'), say('nowhere.text')),
          );
        }
        const reading = { ...ENGLISH, language: languageOf(preference.language) ?? ENGLISH.language };
        const say = wordsOf('mail', reading.language);
        const shop = (await findMerchant(deps.db, key.merchant))?.brandName ?? '';
        if (request.method === 'POST') {
          await stopNotices(deps.db, key);
          return sendPage(reply, reading, 200, (nonce) =>
            messagePage(reading, assets, nonce, 'clock', say('notice_stop'), say('stopped', { shop })),
          );
        }
        const form = html`<main class="ticket single"><div class="pay"><div class="panel"><div class="outcome"><h1 class="message-title">${shop}</h1><form method="post"><button class="primary">${say('notice_stop')}</button></form></div></div></div></main>`;
        return sendPage(reply, reading, 200, (nonce) =>
          shell({ reading, title: say('notice_stop'), theme: {}, assets, nonce, body: form }),
        );
      },
    });
    return Promise.resolve();
  });
}
