import type { FastifyInstance } from 'fastify';
import type { Deps } from '../platform/deps.ts';
import type { HttpGuard } from '../server/http-guard.ts';
import { mountAfterPayment } from './after-payment/mount.ts';
import type { Built } from './assets.ts';
import { mountImages } from './images.ts';
import { mountLive } from './live/mount.ts';
import { mountLiveReceipts } from './live-receipts/mount.ts';
import { mountPortal } from './portal/mount.ts';
import { mountReceipt } from './receipt/mount.ts';
import { mountReference } from './reference/mount.ts';
import { mountSandbox } from './sandbox/mount.ts';
import { sendFile } from './send-file.ts';
import { mountSubscribe } from './subscribe/mount.ts';

/** The HTML pages, and their built files under `/_next/static/`, which clients may cache forever. */
export async function mountPages(
  server: FastifyInstance,
  deps: Deps,
  door: HttpGuard,
  { pages, files }: Built,
): Promise<void> {
  for (const [path, file] of files) {
    server.get(path, (_request, reply) => sendFile(reply, file));
  }
  mountImages(server, deps, door);
  mountPortal(server, deps, door, pages.portal);
  mountAfterPayment(server, deps, door);
  mountReceipt(server, deps, door, pages.receipt, pages.portal);
  mountReference(server, deps, pages.reference);
  mountSubscribe(server, deps, door, pages.subscribe);
  mountLive(server, deps, door, pages.live);
  mountLiveReceipts(server, deps, door, pages.liveReceipts);
  await mountSandbox(server, deps, door, pages.sandbox);
}
