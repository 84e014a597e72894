import type { FastifyInstance } from 'fastify';

/** So long a request under way may take once the server is to end: the process has ten seconds for everything. */
const DRAIN_MS = 6_000;

/** Cuts whoever has not sent the whole of a request by then, or waits for an answer that takes longer: it would keep the process from ending well. */
export function cutAfterDrain(server: FastifyInstance): void {
  server.addHook('preClose', async () => {
    const cut = setTimeout(() => server.server.closeAllConnections(), DRAIN_MS);
    server.server.once('close', () => clearTimeout(cut));
  });
}
