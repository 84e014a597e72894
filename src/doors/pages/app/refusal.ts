import type { FastifyReply } from 'fastify';
import type { Refusal } from '../../../base/core/errors.ts';
import { wordsOf } from '../../../base/core/messages/words.ts';
import { readingOf } from '../shared/reading.ts';
import { sendPage } from '../shared/send-page.ts';
import { messagePage, type PageAssets } from '../shared/shell.ts';

const NOWHERE = ['question', 'nowhere.title', 'nowhere.text'] as const;
const BUSY = ['clock', 'moment', 'busy'] as const;
const AWAY = ['clock', 'moment', 'away'] as const;

function messageFor({ status }: Refusal) {
  if (status >= 500) return AWAY;
  return { 404: NOWHERE, 429: BUSY }[status] ?? null;
}

/**
 * The error page for a refusal; null for refusals that only programs receive. `assets` are the files of the payment
 * page.
 */
export function sendErrorPage(assets: PageAssets, reply: FastifyReply, refusal: Refusal): FastifyReply | null {
  const message = messageFor(refusal);
  if (message === null) return null;
  const reading = readingOf(reply.request);
  const say = wordsOf('pages', reading.language);
  const [sign, title, text] = message;
  // The page comes by itself once the limit allows it.
  if (refusal.status === 429) reply.header('refresh', reply.getHeader('retry-after') ?? '60');
  return sendPage(reply, reading, refusal.status, (nonce) =>
    messagePage(reading, assets, nonce, sign, say(title), say(text)),
  );
}
