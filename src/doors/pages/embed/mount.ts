import type { FastifyInstance } from 'fastify';
import { refuse } from '../../../base/core/errors.ts';
import { isStorable } from '../../../base/core/limits.ts';
import { toRefusal } from '../../../base/graphql/errors.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { merchantOfCheckout } from '../../../domain/access/gateway/page-token.ts';
import { paymentKey } from '../../../domain/sales/receipts/payment-url.ts';
import { findPortalReceipt } from '../../../domain/sales/receipts/read.ts';
import { readShop } from '../../../domain/shop/merchants/read-shop.ts';
import type { HttpGuard } from '../../http/server/http-guard.ts';
import { renderNotFoundPage, renderPortalPage, renderProblemPage } from '../portal/page.ts';
import { isPreview } from '../portal/preview.ts';
import { readView } from '../portal/read-view.ts';
import { readingOf } from '../shared/reading.ts';
import { type StaticFile, sendShared } from '../shared/send-file.ts';
import { sendPage } from '../shared/send-page.ts';
import type { PageAssets } from '../shared/shell.ts';

interface Assets {
  readonly portal: PageAssets;
  /** The address of the script of the frame. */
  readonly frame: string;
  /** The script that shops load. */
  readonly script: StaticFile;
}

/**
 * The payment page in a frame of the shop's own page: at `/embed/<id>?checkout=<token>`, for the origins that the
 * merchant has listed, and `/embed.js`, which shows it.
 */
export function mountEmbed(server: FastifyInstance, deps: Deps, guard: HttpGuard, assets: Assets): void {
  server.get('/embed.js', (_request, reply) => sendShared(reply, assets.script));
  server.get<{ Params: { id: string }; Querystring: { checkout?: unknown } }>(
    '/embed/:id',
    { onRequest: async (request, reply) => void (await guard.limit(request, reply, 'others')) },
    async (request, reply) => {
      let reading = readingOf(request);
      try {
        const { id } = request.params;
        const { checkout } = request.query;
        const token = isStorable(id) && typeof checkout === 'string' ? checkout : '';
        const merchant = await merchantOfCheckout(deps.settings, token, id, deps.clock());
        if (!merchant) throw refuse('forbidden', 'The token does not open this receipt, or has expired');
        const receipt = await findPortalReceipt(deps.db, id, merchant);
        if (!receipt)
          return sendPage(reply, reading, 404, (nonce) => renderNotFoundPage(reading, assets.portal, nonce));
        const named = { id, recipient: merchant, token: null, symbol: null, preview: isPreview(request) };
        const read = (known: Parameters<typeof readingOf>[1]) => readingOf(request, known);
        const [view, { embedOrigins }] = await Promise.all([
          readView(deps, { ...named, key: paymentKey(deps.settings, receipt), readingOf: read }),
          readShop(deps.db, merchant),
        ]);
        // In a frame nothing is paid by one press: what is pressed may not be what is seen. A script of the shop runs
        // in the shop's own page.
        const framed = { ...view!, testWallet: false, scriptPath: null };
        reading = framed.reading;
        const { portal, frame } = assets;
        const render = (nonce: string) => renderPortalPage(framed, portal, nonce, { script: frame, embedOrigins });
        return sendPage(reply, reading, 200, render, null, embedOrigins);
      } catch (error) {
        const refusal = toRefusal(error, deps.log, request.id);
        const text = refusal.code === 'forbidden' ? 'shopAgain' : 'receiptAway';
        return sendPage(reply, reading, refusal.status, (nonce) =>
          renderProblemPage(reading, assets.portal, nonce, text),
        );
      }
    },
  );
}
