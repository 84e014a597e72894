import type { FastifyInstance } from 'fastify';
import { languageOf, SOURCE_LANGUAGE } from '../../../base/core/messages/languages.ts';
import { wordsOf } from '../../../base/core/messages/words.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { findMerchant } from '../../../domain/shop/merchants/find.ts';
import type { MemberKey } from '../../../domain/shop/merchants/members.ts';
import { confirmAddress, readPreference, stopNotices } from '../../../domain/webhooks/mail/preferences.ts';
import type { HttpGuard } from '../../http/server/http-guard.ts';
import { html } from '../shared/html.ts';
import { readingIn, readingOf } from '../shared/reading.ts';
import { sendPage } from '../shared/send-page.ts';
import { messagePage, type PageAssets, shell } from '../shared/shell.ts';
import { type LinkPurpose, memberIn, provesLink } from './member-link.ts';

/** What each link does, and its words: on the button, and once it is done. */
const LINKS = {
  stop: { button: 'notice_stop', done: 'stopped', act: ({ db }, key) => stopNotices(db, key) },
  confirm: {
    button: 'confirm',
    done: 'confirmed',
    act: ({ db, clock }, key, email) => confirmAddress(db, key, email, clock()),
  },
} as const satisfies Record<
  LinkPurpose,
  { button: string; done: string; act: (deps: Deps, key: MemberKey, email: string) => Promise<void> }
>;

/**
 * Where the links in messages to members lead. Opening one changes nothing, as programs open links as well: its button
 * does, and so does the one click of a mail program (RFC 8058), which is the same request.
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
    for (const purpose of ['stop', 'confirm'] as const)
      scope.route<{ Querystring: { m?: unknown; w?: unknown; k?: unknown } }>({
        method: ['GET', 'POST'],
        url: `/mail/${purpose}`,
        onRequest: (request, reply) => guard.limit(request, reply, 'others'),
        async handler(request, reply) {
          const key = memberIn(request.query);
          const preference = key && (await readPreference(deps.db, key));
          const proven = preference && provesLink(purpose, deps.settings, key, preference.email, request.query.k);
          // A second click finds nothing to stop, and nothing that it could tell of.
          if (!proven) {
            const reading = readingOf(request);
            const say = wordsOf('pages', reading.language);
            return sendPage(reply, reading, 404, (nonce) =>
              messagePage(reading, assets, nonce, 'question', say('nowhere.title'), say('nowhere.text')),
            );
          }
          const reading = readingIn(languageOf(preference.language) ?? SOURCE_LANGUAGE);
          const say = wordsOf('mail', reading.language);
          const { button, done, act } = LINKS[purpose];
          const shop = (await findMerchant(deps.db, key.merchant))?.brandName ?? '';
          if (request.method === 'POST') {
            await act(deps, key, preference.email);
            return sendPage(reply, reading, 200, (nonce) =>
              messagePage(reading, assets, nonce, 'clock', say(button), say(done, { shop })),
            );
          }
          const form = html`<main class="ticket single"><div class="pay"><div class="panel"><div class="outcome"><h1 class="message-title">${shop}</h1><form method="post"><button class="primary">${say(button)}</button></form></div></div></div></main>`;
          return sendPage(reply, reading, 200, (nonce) =>
            shell({ reading, title: say(button), theme: {}, assets, nonce, body: form }),
          );
        },
      });
    return Promise.resolve();
  });
}
