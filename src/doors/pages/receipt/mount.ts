import type { FastifyInstance } from 'fastify';
import { isStorable } from '../../../base/core/limits.ts';
import { parseWallet } from '../../../base/core/wallet.ts';
import { toRefusal } from '../../../base/graphql/errors.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { paidAtOf } from '../../../domain/sales/receipts/paid-at.ts';
import { keyIn } from '../../../domain/sales/receipts/payment-url.ts';
import { findPortalReceipt } from '../../../domain/sales/receipts/read.ts';
import { readShop } from '../../../domain/shop/merchants/read-shop.ts';
import type { HttpGuard } from '../../http/server/http-guard.ts';
import { renderNotFoundPage, renderProblemPage } from '../portal/page.ts';
import { portalPath } from '../shared/paths.ts';
import { readingOf } from '../shared/reading.ts';
import { sendPage } from '../shared/send-page.ts';
import type { PageAssets } from '../shared/shell.ts';
import { renderReceiptPage } from './page.ts';
import { readReceiptView } from './read-view.ts';

/**
 * The printable receipt at `/portal/<id>/receipt`, for anyone with the URL of the payment page. An unpaid receipt
 * redirects to its payment page. `messages` are the files of the payment page, whose message pages it uses.
 */
export function mountReceipt(
  server: FastifyInstance,
  deps: Deps,
  guard: HttpGuard,
  assets: PageAssets,
  messages: PageAssets,
): void {
  server.get<{ Params: { id: string }; Querystring: { recipient?: unknown; k?: unknown } }>('/portal/:id/receipt', {
    async onRequest(request, reply) {
      await guard.limit(request, reply, 'others');
    },
    async handler(request, reply) {
      const { id } = request.params;
      const { recipient, k } = request.query;
      const merchant = parseWallet(recipient);
      let reading = readingOf(request);
      try {
        const unnamed = recipient !== undefined && merchant === null;
        const receipt = unnamed || !isStorable(id) ? null : await findPortalReceipt(deps.db, id, merchant);
        if (!receipt) return sendPage(reply, reading, 404, (nonce) => renderNotFoundPage(reading, messages, nonce));
        const shop = await readShop(deps.db, receipt.merchant);
        reading = readingOf(request, { receipt: receipt.language, shop: shop.language });
        const { status } = receipt;
        const key = keyIn(deps.settings, receipt, k);
        const isPrinted = status === 'paid' || status === 'completed' || status === 'refunded';
        if (!isPrinted || paidAtOf(receipt) === null)
          return reply.redirect(portalPath(receipt, key, reading.chosen), 303);
        const view = await readReceiptView(deps, { ...receipt, status }, shop, { ...reading, key });
        return sendPage(reply, reading, 200, (nonce) => renderReceiptPage(view, reading, assets, nonce));
      } catch (error) {
        const refusal = toRefusal(error, deps.log, request.id);
        return sendPage(reply, reading, refusal.status, (nonce) => renderProblemPage(reading, messages, nonce));
      }
    },
  });
}
