import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../../../base/core/errors.ts';
import { toRefusal } from '../../../base/graphql/errors.ts';
import type { Deps, Settings } from '../../../base/platform/deps.ts';
import {
  decideSandbox,
  findSandboxSession,
  hasSandbox,
  type SandboxSession,
  sandboxPath,
} from '../../../domain/payments/cards/sandbox.ts';
import { paymentUrl } from '../../../domain/sales/receipts/payment-url.ts';
import { readReceipt } from '../../../domain/sales/receipts/read.ts';
import type { HttpGuard } from '../../http/server/http-guard.ts';
import { renderNotFoundPage, renderProblemPage } from '../portal/page.ts';
import { promiseOf } from '../portal/receipt-mail.ts';
import { isFromOwnPage } from '../shared/own-page.ts';
import { type Reading, readingOf } from '../shared/reading.ts';
import { sendPage } from '../shared/send-page.ts';
import type { PageAssets } from '../shared/shell.ts';
import { renderReturnPage, renderSandboxPage } from './page.ts';

type SandboxRequest = FastifyRequest<{ Params: { id: string } }>;

const FORM_BYTES = 1_024;

/** The sandbox checkout at `/onramp/sandbox/<session>`, only if the sandbox is the card provider. */
export async function mountSandbox(
  server: FastifyInstance,
  deps: Deps,
  guard: HttpGuard,
  assets: PageAssets,
): Promise<void> {
  if (!hasSandbox(deps.chain, deps.settings)) return;

  const answer = async (reply: FastifyReply, make: () => Promise<FastifyReply>): Promise<FastifyReply> => {
    try {
      return await make();
    } catch (error) {
      const refusal = toRefusal(error, deps.log, reply.request.id);
      const reading = readingOf(reply.request);
      const render = refusal.status === 404 ? renderNotFoundPage : renderProblemPage;
      return sendPage(reply, reading, refusal.status, (nonce) => render(reading, assets, nonce));
    }
  };
  const limit = (request: FastifyRequest, reply: FastifyReply) => guard.limit(request, reply, 'others');

  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES },
      (_request, body, done) => done(null, new URLSearchParams(body as string)),
    );
    scope.get(sandboxPath(':id'), { onRequest: limit }, (request: SandboxRequest, reply) =>
      answer(reply, async () => {
        const session = await findSandboxSession(deps.db, request.params.id);
        if (!session) throw refuse('not_found');
        const receipt = await readReceipt(deps.db, session.merchant, session.receiptId);
        const mail = await promiseOf(deps, receipt);
        const reading = readingOf(request, { receipt: session.language });
        const back = backFrom(deps.settings, session, reading);
        return sendPage(reply, reading, 200, (nonce) => renderSandboxPage(session, back, mail, reading, assets, nonce));
      }),
    );
    scope.post(sandboxPath(':id'), { onRequest: limit }, (request: SandboxRequest, reply) =>
      answer(reply, async () => {
        if (!isFromOwnPage(deps.settings, request)) throw refuse('forbidden', 'Send this form from its page');
        const outcome = request.body instanceof URLSearchParams ? request.body.get('outcome') : null;
        const session = await decideSandbox(deps, request.params.id, outcome ?? '');
        const reading = readingOf(request, { receipt: session.language });
        const back = backFrom(deps.settings, session, reading);
        if (back.startsWith('/')) return reply.redirect(back, 303);
        return sendPage(reply, reading, 200, (nonce) => renderReturnPage(session, back, reading, assets, nonce));
      }),
    );
  });
}

/**
 * The redirect after checkout: the merchant's URL after success, else the payment page. Pages of this server are given
 * as a path, in the language that the address names.
 */
function backFrom(settings: Settings, session: SandboxSession, { chosen }: Reading): string {
  const { merchant, receiptId: id, origin } = session;
  const charged = session.status === 'fulfillment_processing' || session.status === 'fulfillment_complete';
  const to = new URL(charged ? session.redirectUrl : paymentUrl(settings, { id, merchant, origin }));
  if (to.origin !== new URL(settings.baseUrl).origin) return to.href;
  if (chosen) to.searchParams.set('lang', chosen);
  return to.pathname + to.search;
}
