import type { FastifyInstance } from 'fastify';

/** How long a running request may take during shutdown. The process has ten seconds for everything. */
const DRAIN_MS = 6_000;

/** Closes connections whose request is incomplete or still running after the limit. They would prevent a clean exit. */
export function cutAfterDrain(server: FastifyInstance): void {
  server.addHook('preClose', async () => {
    const cut = setTimeout(() => server.server.closeAllConnections(), DRAIN_MS);
    server.server.once('close', () => clearTimeout(cut));
  });
}
