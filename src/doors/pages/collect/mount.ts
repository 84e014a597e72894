import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Messages } from '../../../base/core/messages/generated/messages.d.ts';
import { sentWords, wordsOf } from '../../../base/core/messages/words.ts';
import type { HttpGuard } from '../../http/server/http-guard.ts';
import { html } from '../shared/html.ts';
import { type Reading, readingOf, sendWords } from '../shared/reading.ts';
import { type PageAssets, shell } from '../shared/shell.ts';

/** Scripts and styles from this server, and no connection to any: what the page reads, it reads through a wallet. */
const POLICY = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    'img-src data:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/**
 * `GET /collect`, public: the page that collects from the record of an address. It reads nothing of this server, not
 * even its chains.
 */
export function mountCollect(server: FastifyInstance, guard: HttpGuard, assets: PageAssets): void {
  server.get('/collect', {
    async onRequest(request, reply) {
      await guard.limit(request, reply, 'others');
    },
    async handler(request, reply) {
      const nonce = randomBytes(16).toString('base64');
      const reading = readingOf(request);
      return reply
        .headers({
          'content-language': reading.language,
          'content-security-policy': POLICY(nonce),
          'referrer-policy': 'no-referrer',
          'x-frame-options': 'DENY',
        })
        .type('text/html; charset=utf-8')
        .send(renderCollectPage(reading, assets, nonce));
    },
  });
}

/** The longest record that the page reads: one of a hundred recipients is a tenth of it. */
const MAX_RECORD = 100_000;

/** The messages that only the server says. */
const SERVER_ONLY: readonly string[] = [
  ...(['title', 'lead', 'script', 'record', 'record.hint', 'token', 'token.hint', 'check'] as const),
] satisfies (keyof Messages['collect'])[];

function renderCollectPage(reading: Reading, assets: PageAssets, nonce: string): string {
  const { language } = reading;
  const say = wordsOf('collect', language);
  return shell({
    reading,
    title: say('title'),
    theme: {},
    assets,
    nonce,
    head: html`<script type="module" src="${assets.script}"></script>${sendWords({ collect: sentWords('collect', language, (key) => !SERVER_ONLY.includes(key)), wallet: sentWords('wallet', language) })}`,
    body: html`<main class="ticket single"><div class="pay"><div class="panel">
<h1 class="message-title">${say('title')}</h1>
<p class="hint">${say('lead')}</p>
<p class="note notice no-script">${say('script')}</p>
<form class="script-only" id="form" autocomplete="off">
  <label for="record">${say('record')}</label>
  <textarea id="record" rows="6" maxlength="${MAX_RECORD}" spellcheck="false" dir="ltr" required aria-describedby="record-hint"></textarea>
  <p class="hint" id="record-hint">${say('record.hint')}</p>
  <label for="token">${say('token')}</label>
  <input id="token" type="text" maxlength="42" spellcheck="false" dir="ltr" aria-describedby="token-hint">
  <p class="hint" id="token-hint">${say('token.hint')}</p>
  <div class="actions"><button type="submit" class="button quiet" id="check"><span>${say('check')}</span></button></div>
</form>
<div id="stage"></div>
</div></div></main>
<p class="unseen" id="announcer" role="status" aria-live="polite"></p>`,
  });
}
