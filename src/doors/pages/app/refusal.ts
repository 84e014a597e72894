import type { FastifyReply } from 'fastify';
import type { Refusal } from '../../../base/core/errors.ts';
import { sendPage } from '../shared/send-page.ts';
import { messagePage, type PageAssets } from '../shared/shell.ts';

type Message = Parameters<typeof messagePage> extends [PageAssets, string, ...infer Rest] ? Rest : never;

const NOWHERE: Message = ['question', 'No page here', 'There is nothing at this address. Check the link.'];
const BUSY: Message = [
  'clock',
  'One moment, please',
  'There were too many requests from your address. Please try again in a minute.',
];
const AWAY: Message = [
  'clock',
  'One moment, please',
  'This page cannot be shown at the moment. Please try again in a minute.',
];

function messageFor({ status }: Refusal): Message | null {
  if (status >= 500) return AWAY;
  return { 404: NOWHERE, 429: BUSY }[status] ?? null;
}

/**
 * The error page for a refusal; null for refusals that only programs receive. `assets` are the files of the payment
 * page.
 */
export function sendErrorPage(assets: PageAssets, reply: FastifyReply, refusal: Refusal): FastifyReply | null {
  const message = messageFor(refusal);
  return message && sendPage(reply, refusal.status, (nonce) => messagePage(assets, nonce, ...message));
}
