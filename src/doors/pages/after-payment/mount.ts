import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { refuse } from '../../../base/core/errors.ts';
import { isStorable } from '../../../base/core/limits.ts';
import type { Language } from '../../../base/core/messages/languages.ts';
import { parseWallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { readAfterPayment } from '../../../domain/sales/receipts/after-payment.ts';
import { opensForWriting } from '../../../domain/sales/receipts/payment-url.ts';
import { findReceipt } from '../../../domain/sales/receipts/read.ts';
import { readShop } from '../../../domain/shop/merchants/read-shop.ts';
import type { HttpGuard } from '../../http/server/http-guard.ts';
import { readingOf } from '../shared/reading.ts';
import { frameCsp, renderFrame } from './frame.ts';

/**
 * The script of a receipt's order at `/portal/<id>/after-payment?recipient=<merchant>`, for the frame of its payment
 * page. Not found before the receipt is paid, after a refund, on a read-only page, and while the merchant's admin has
 * not enabled scripts.
 */
export function mountAfterPayment(server: FastifyInstance, deps: Deps, guard: HttpGuard): void {
  server.get<{ Params: { id: string }; Querystring: { recipient?: unknown; k?: unknown } }>(
    '/portal/:id/after-payment',
    {
      async onRequest(request, reply) {
        await guard.limit(request, reply, 'others');
      },
      async handler(request, reply) {
        const found = await readScript(deps, request.params.id, request.query);
        if (!found) throw refuse('not_found', 'There is no script at this address');
        const nonce = randomBytes(16).toString('base64');
        return reply
          .headers({
            'content-security-policy': frameCsp(nonce),
            'referrer-policy': 'no-referrer',
            'x-frame-options': 'SAMEORIGIN',
            'x-dns-prefetch-control': 'off',
            'permissions-policy': NOTHING,
          })
          .type('text/html; charset=utf-8')
          .send(renderFrame(found.script, readingOf(request, found).language, nonce));
      },
    },
  );
}

/** Browser features for the permissions policy; all are denied. */
const NOTHING = [
  'camera',
  'clipboard-read',
  'clipboard-write',
  'display-capture',
  'fullscreen',
  'geolocation',
  'microphone',
  'payment',
  'publickey-credentials-get',
  'screen-wake-lock',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

async function readScript(
  deps: Deps,
  id: string,
  { recipient, k }: { readonly recipient?: unknown; readonly k?: unknown },
): Promise<{ readonly script: string; readonly receipt: string | null; readonly shop: Language | null } | null> {
  const merchant = parseWallet(recipient);
  const receipt = merchant && isStorable(id) ? await findReceipt(deps.db, merchant, id) : null;
  if (!receipt || !opensForWriting(deps.settings, receipt, k)) return null;
  if (!(receipt.status === 'paid' || receipt.status === 'completed')) return null;
  const { postPaymentScripts, language: shop } = await readShop(deps.db, receipt.merchant);
  const { script } = await readAfterPayment(deps.db, deps.settings, receipt, postPaymentScripts);
  return script === null ? null : { script, receipt: receipt.language ?? null, shop };
}
