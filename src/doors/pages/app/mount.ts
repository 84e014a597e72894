import type { FastifyInstance } from 'fastify';
import { refuse } from '../../../base/core/errors.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { keptImage, readImage } from '../../../base/records/images/store.ts';
import { readProductPicture } from '../../../domain/shop/catalog/pictures.ts';
import type { HttpGuard } from '../../http/server/http-guard.ts';
import { mountAfterPayment } from '../after-payment/mount.ts';
import { mountCollect } from '../collect/mount.ts';
import { mountConsole } from '../console/mount.ts';
import { mountEmbed } from '../embed/mount.ts';
import { mountGraphQLReference } from '../graphql-reference/mount.ts';
import { mountLink } from '../link/mount.ts';
import { mountLive } from '../live/mount.ts';
import { mountMail } from '../mail/mount.ts';
import { mountPortal } from '../portal/mount.ts';
import { mountReceipt } from '../receipt/mount.ts';
import { mountReference } from '../reference/mount.ts';
import { mountSandbox } from '../sandbox/mount.ts';
import { sendFile } from '../shared/send-file.ts';
import { mountSubscribe } from '../subscribe/mount.ts';
import type { Built } from './assets.ts';
import { mountPackages } from './packages.ts';

/** The HTML pages, and their built files under `/_next/static/`, which clients may cache forever. */
export async function mountPages(
  server: FastifyInstance,
  deps: Deps,
  guard: HttpGuard,
  { pages, console, embed, files }: Built,
): Promise<void> {
  for (const [path, file] of files) {
    server.get(path, (_request, reply) => sendFile(reply, file));
  }
  mountImages(server, deps, guard);
  mountPackages(server, guard);
  await mountPortal(server, deps, guard, pages.portal);
  await mountMail(server, deps, guard, pages.portal);
  mountEmbed(server, deps, guard, { portal: pages.portal, ...embed });
  await mountLink(server, deps, guard, pages.portal);
  mountAfterPayment(server, deps, guard);
  mountReceipt(server, deps, guard, pages.receipt, pages.portal);
  mountReference(server, deps.settings, pages.reference);
  mountGraphQLReference(server, deps.settings, guard, pages.graphqlReference);
  mountSubscribe(server, deps, guard, pages.subscribe);
  mountCollect(server, guard, pages.collect);
  mountLive(server, deps, guard, pages.live);
  mountConsole(server, deps, guard, console, pages.portal);
  await mountSandbox(server, deps, guard, pages.sandbox);
}

const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  // An SVG opened directly runs no script, loads nothing and has an opaque origin.
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  // Pages show it in an image element, which ignores this. By itself it is no page of this site.
  'content-disposition': 'attachment',
  'cross-origin-resource-policy': 'cross-origin',
} as const;

/** Serves stored pictures at `/images/<sha256>`. Only reads from the database count against the rate limit. */
function mountImages(server: FastifyInstance, deps: Deps, guard: HttpGuard): void {
  server.get<{ Params: { digest: string } }>('/images/:digest', async (request, reply) => {
    const { digest } = request.params;
    if (!/^[0-9a-f]{64}$/.test(digest)) throw refuse('not_found', 'There is no such image');
    let image = keptImage(deps.db, digest) ?? null;
    if (!image) {
      await guard.limit(request, reply, 'others');
      image = (await readImage(deps.db, digest)) ?? (await readProductPicture(deps.db, digest));
    }
    if (!image) throw refuse('not_found', 'There is no such image');
    return reply.headers(HEADERS).type(image.mediaType).send(image.bytes);
  });
}
