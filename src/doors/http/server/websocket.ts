import type { Server } from 'node:http';
import { handleProtocols } from 'graphql-ws';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import { clientAddress, enforceEdge } from '../../../domain/access/gateway/edge.ts';
import { CLOSES, LIVE_LIMITS } from './live-connections.ts';
import type { LiveGuard } from './live-guard.ts';
import { createProtocol, type Socket } from './socket.ts';

/** How long a client may take for the closing handshake. */
const CLOSE_MS = 10_000;
/** The same during shutdown. */
const SHUTDOWN_CLOSE_MS = 1_000;

/**
 * Serves GraphQL over websockets (the protocol graphql-transport-ws) at `/api/graphql`. `connection_init` carries the
 * client's proof under the names of the headers. A cookie counts only from an allowed origin and with the CSRF token. A
 * socket whose key or session is revoked is closed with 4403 within seconds.
 */
export function mountWebsocket(server: Server, guard: LiveGuard): { close(): Promise<void> } {
  const { settings } = guard.deps;
  const options: ServerOptions & { closeTimeout: number } = {
    noServer: true,
    maxPayload: LIVE_LIMITS.messageBytes,
    // Frames are shared by many sockets, so they cannot be compressed per socket.
    perMessageDeflate: false,
    closeTimeout: CLOSE_MS,
    handleProtocols: (protocols) => handleProtocols(protocols),
  };
  const sockets = new WebSocketServer(options);
  const serveSocket = createProtocol(guard);
  const open = new Map<WebSocket, Socket>();
  /** Sockets that are not authenticated yet, oldest first. */
  const unproven = new Map<WebSocket, Socket>();

  server.on('upgrade', (request, connection, head) => {
    const path = request.url?.split('?', 1)[0] ?? '/';
    if (path !== '/api/graphql') return connection.destroy();
    // Node has removed its own listener. Without one, a connection reset would end the process.
    connection.on('error', () => connection.destroy());
    const { headers } = request;
    const incoming = { method: 'CONNECT', host: (headers.host ?? '').toLowerCase(), path, headers };
    let ip: string;
    try {
      const throughEdge = enforceEdge(settings, incoming);
      ip = clientAddress(incoming, { throughEdge, peer: request.socket.remoteAddress ?? '' });
    } catch {
      return connection.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n', () => connection.destroy());
    }
    const upgrade = { ...incoming, address: ip };
    sockets.handleUpgrade(request, connection, head, (websocket) => {
      const settled = () => unproven.delete(websocket);
      const socket = serveSocket({ websocket, connection, upgrade, ip, settled });
      open.set(websocket, socket);
      websocket.on('close', () => open.delete(websocket));
      if (websocket.readyState === websocket.OPEN) unproven.set(websocket, socket);
      const [oldest] = unproven.values();
      if (unproven.size > LIVE_LIMITS.unprovenSockets) oldest?.close(CLOSES.initTimeout);
    });
  });

  const pings = setInterval(() => {
    for (const socket of open.values()) socket.ping();
  }, LIVE_LIMITS.pingMs);
  pings.unref();

  return {
    async close() {
      clearInterval(pings);
      for (const socket of open.values()) socket.close(CLOSES.goingAway);
      const deadline = performance.now() + SHUTDOWN_CLOSE_MS;
      while (sockets.clients.size > 0 && performance.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, 20));
      for (const websocket of sockets.clients) websocket.terminate();
    },
  };
}
