import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../base/platform/deps.ts';
import type { HttpGuard } from '../../http/server/http-guard.ts';
import { mountAfterPayment } from '../after-payment/mount.ts';
import { mountConsole } from '../console/mount.ts';
import { mountGraphQLReference } from '../graphql-reference/mount.ts';
import { mountLive } from '../live/mount.ts';
import { mountPortal } from '../portal/mount.ts';
import { mountReceipt } from '../receipt/mount.ts';
import { mountReference } from '../reference/mount.ts';
import { mountSandbox } from '../sandbox/mount.ts';
import { sendFile } from '../shared/send-file.ts';
import { mountSubscribe } from '../subscribe/mount.ts';
import type { Built } from './assets.ts';
import { mountImages } from './images.ts';

/** The HTML pages, and their built files under `/_next/static/`, which clients may cache forever. */
export async function mountPages(
  server: FastifyInstance,
  deps: Deps,
  guard: HttpGuard,
  { pages, console, files }: Built,
): Promise<void> {
  for (const [path, file] of files) {
    server.get(path, (_request, reply) => sendFile(reply, file));
  }
  mountImages(server, deps, guard);
  mountPortal(server, deps, guard, pages.portal);
  mountAfterPayment(server, deps, guard);
  mountReceipt(server, deps, guard, pages.receipt, pages.portal);
  mountReference(server, deps, pages.reference);
  mountGraphQLReference(server, deps, guard, pages.graphqlReference);
  mountSubscribe(server, deps, guard, pages.subscribe);
  mountLive(server, deps, guard, pages.live);
  mountConsole(server, deps, guard, console, pages.portal);
  await mountSandbox(server, deps, guard, pages.sandbox);
}
