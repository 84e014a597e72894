import type { FastifyInstance } from 'fastify';
import { refuse } from '../../../base/core/errors.ts';
import { isStorable } from '../../../base/core/limits.ts';
import { parseWallet } from '../../../base/core/wallet.ts';
import { toRefusal } from '../../../base/graphql/errors.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { requestAgain } from '../../../domain/sales/orders/request-again.ts';
import { keyIn, opensForWriting } from '../../../domain/sales/receipts/payment-url.ts';
import { findPortalReceipt } from '../../../domain/sales/receipts/read.ts';
import type { HttpGuard } from '../../http/server/http-guard.ts';
import { isFromOwnPage } from '../shared/own-page.ts';
import { portalPath } from '../shared/paths.ts';
import { readingOf } from '../shared/reading.ts';
import { sendPage } from '../shared/send-page.ts';
import type { PageAssets } from '../shared/shell.ts';
import { renderNotAgainPage, renderNotFoundPage, renderPortalPage, renderProblemPage } from './page.ts';
import { isPreview } from './preview.ts';
import { readView } from './read-view.ts';

/** The payment page at `/portal/<id>`, and where its buyer asks for an expired receipt again. */
export async function mountPortal(
  server: FastifyInstance,
  deps: Deps,
  guard: HttpGuard,
  assets: PageAssets,
): Promise<void> {
  await server.register((scope) => mountAgain(scope, deps, guard, assets));
  server.get<{ Params: { id: string }; Querystring: Record<string, unknown> }>('/portal/:id', {
    async onRequest(request, reply) {
      await guard.limit(request, reply, 'others');
    },
    async handler(request, reply) {
      const { recipient, token, symbol, k } = request.query;
      const merchant = parseWallet(recipient);
      let reading = readingOf(request);
      try {
        if (recipient !== undefined && merchant === null)
          return sendPage(reply, reading, 404, (nonce) => renderNotFoundPage(reading, assets, nonce));
        const view = await readView(deps, {
          id: request.params.id,
          recipient: merchant,
          token: typeof token === 'string' ? token : null,
          symbol: typeof symbol === 'string' ? symbol : null,
          key: k,
          preview: isPreview(request),
          readingOf: (known) => readingOf(request, known),
        });
        if (!view) return sendPage(reply, reading, 404, (nonce) => renderNotFoundPage(reading, assets, nonce));
        reading = view.reading;
        return sendPage(reply, reading, 200, (nonce) => renderPortalPage(view, assets, nonce), view.scriptPath);
      } catch (error) {
        const refusal = toRefusal(error, deps.log, request.id);
        return sendPage(reply, reading, refusal.status, (nonce) => renderProblemPage(reading, assets, nonce));
      }
    },
  });
}

/** A form of the page, so that it works without its script. The answer leads to the receipt to pay. */
async function mountAgain(server: FastifyInstance, deps: Deps, guard: HttpGuard, assets: PageAssets): Promise<void> {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 1_024 },
    (_, _body, done) => done(null, null),
  );
  server.post<{ Params: { id: string }; Querystring: { recipient?: unknown; k?: unknown } }>(
    '/portal/:id/again',
    { onRequest: (request, reply) => guard.limit(request, reply, 'others') },
    async (request, reply) => {
      const { recipient, k } = request.query;
      const merchant = parseWallet(recipient);
      let reading = readingOf(request);
      try {
        const named = isStorable(request.params.id) && merchant !== null;
        const receipt = named ? await findPortalReceipt(deps.db, request.params.id, merchant) : null;
        if (!receipt) return sendPage(reply, reading, 404, (nonce) => renderNotFoundPage(reading, assets, nonce));
        reading = readingOf(request, { receipt: receipt.language });
        if (!isFromOwnPage(deps.settings, request)) throw refuse('forbidden', 'Send this form from its page');
        if (!opensForWriting(deps.settings, receipt, k))
          throw refuse('forbidden', 'This address shows the receipt only');
        const id = await requestAgain(deps, { merchant: receipt.merchant, receiptId: receipt.id }, 'buyer');
        const key = id === receipt.id ? keyIn(deps.settings, receipt, k) : null;
        return reply.redirect(portalPath({ id, merchant: receipt.merchant }, key, reading.chosen), 303);
      } catch (error) {
        const refusal = toRefusal(error, deps.log, request.id);
        return sendPage(reply, reading, refusal.status, (nonce) =>
          renderNotAgainPage(refusal.code, reading, assets, nonce),
        );
      }
    },
  );
}
