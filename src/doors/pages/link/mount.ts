import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../../../base/core/errors.ts';
import { newUuid } from '../../../base/core/ids.ts';
import { isStorable, MAX_ID } from '../../../base/core/limits.ts';
import type { Language } from '../../../base/core/messages/languages.ts';
import { toRefusal } from '../../../base/graphql/errors.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { findLink, isOpen, orderFromLink, previewLink } from '../../../domain/sales/links/order-from-link.ts';
import { readShop } from '../../../domain/shop/merchants/read-shop.ts';
import type { HttpGuard } from '../../http/server/http-guard.ts';
import { isFromOwnPage } from '../shared/own-page.ts';
import { portalPath } from '../shared/paths.ts';
import { readingOf } from '../shared/reading.ts';
import { sendPage } from '../shared/send-page.ts';
import type { PageAssets } from '../shared/shell.ts';
import { type LinkView, renderLinkPage, renderRefusedPage } from './page.ts';

interface Named {
  Params: { linkId: string };
  Querystring: { visit?: unknown };
}

/**
 * The page of a payment link at `/pay/<id>`. Opening it makes nothing, because browsers, chats and scanners open
 * addresses ahead; its button makes the receipt and leads to it.
 */
export async function mountLink(
  server: FastifyInstance,
  deps: Deps,
  guard: HttpGuard,
  assets: PageAssets,
): Promise<void> {
  type Answer = (request: FastifyRequest<Named>, reply: FastifyReply) => Promise<FastifyReply>;
  /** Answers a refusal with its page. */
  const page =
    (answer: Answer): Answer =>
    (request, reply) =>
      answer(request, reply).catch((error: unknown) => {
        const refusal = toRefusal(error, deps.log, request.id);
        const reading = readingOf(request);
        return sendPage(reply, reading, refusal.status, (nonce) => renderRefusedPage(refusal, reading, assets, nonce));
      });

  server.get<Named>(
    '/pay/:linkId',
    { onRequest: (request, reply) => guard.limit(request, reply, 'others') },
    page(async (request, reply) => {
      const { shop, ...view } = await readView(deps, request.params.linkId);
      const reading = readingOf(request, { shop });
      return sendPage(reply, reading, 200, (nonce) => renderLinkPage(view, reading, assets, nonce));
    }),
  );
  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 1_024 },
      (_, _body, done) => done(null, null),
    );
    scope.post<Named>(
      '/pay/:linkId',
      { onRequest: (request, reply) => guard.limit(request, reply, 'orders') },
      page(async (request, reply) => {
        if (!isFromOwnPage(deps.settings, request)) throw refuse('forbidden', 'Send this form from its page');
        const { linkId } = request.params;
        const { visit } = request.query;
        const named = typeof visit === 'string' && visit.length <= MAX_ID && isStorable(visit) ? visit : newUuid();
        const { chosen: language } = readingOf(request);
        const receipt = await orderFromLink(deps, { linkId, visit: named, address: request.clientAddress, language });
        return reply.redirect(portalPath(receipt, null, language), 303);
      }),
    );
  });
}

/** What a link sells at today's prices. Refuses with `not_found`, and one that is closed. */
async function readView(deps: Deps, linkId: string): Promise<LinkView & { readonly shop: Language }> {
  const link = await findLink(deps, linkId);
  if (!isOpen(link, deps.clock())) throw refuse('link_closed');
  const [{ row }, { theme, language }] = await Promise.all([previewLink(deps, link), readShop(deps.db, link.merchant)]);
  return { linkId, name: link.name, theme, receipt: row, visit: newUuid(), shop: language };
}
