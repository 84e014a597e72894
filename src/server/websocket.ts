import type { Server } from 'node:http';
import { handleProtocols } from 'graphql-ws';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import { clientAddress } from '../gateway/client-address.ts';
import { enforceEdge } from '../gateway/edge.ts';
import type { LiveGuard } from './live-guard.ts';
import { CLOSES, LIVE_LIMITS } from './live-limits.ts';
import { createProtocol, type Socket } from './socket.ts';

/** What a client that is told to go has to say goodbye. */
const GOODBYE_MS = 10_000;
/** The same while the server ends. */
const LAST_GOODBYE_MS = 1_000;

/**
 * GraphQL over websockets (the protocol graphql-transport-ws) at `/api/graphql`. A client proves itself in `connection_init` with the names of the headers;
 * a cookie counts only from a good origin with the CSRF token. A socket whose key or session is revoked is closed with 4403 within seconds.
 */
export function mountWebsocket(server: Server, door: LiveGuard): { close(): Promise<void> } {
  const { settings } = door.deps;
  const options: ServerOptions & { closeTimeout: number } = {
    noServer: true,
    maxPayload: LIVE_LIMITS.messageBytes,
    // Frames are made once for many sockets, which a compression of their own would forbid.
    perMessageDeflate: false,
    closeTimeout: GOODBYE_MS,
    handleProtocols: (protocols) => handleProtocols(protocols),
  };
  const sockets = new WebSocketServer(options);
  const serveSocket = createProtocol(door);
  const open = new Map<WebSocket, Socket>();
  /** Those who have not proven who they are, in the order they came. */
  const unproven = new Map<WebSocket, Socket>();

  server.on('upgrade', (request, connection, head) => {
    const path = request.url?.split('?', 1)[0] ?? '/';
    if (path !== '/api/graphql') return connection.destroy();
    // Node has taken its own listener off: without one a connection reset would end the process.
    connection.on('error', () => connection.destroy());
    const { headers } = request;
    const upgrade = { method: 'CONNECT', host: (headers.host ?? '').toLowerCase(), path, headers };
    let ip: string;
    try {
      const throughEdge = enforceEdge(settings, upgrade);
      ip = clientAddress(upgrade, { throughEdge, peer: request.socket.remoteAddress ?? '' });
    } catch {
      return connection.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n', () => connection.destroy());
    }
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
      const deadline = performance.now() + LAST_GOODBYE_MS;
      while (sockets.clients.size > 0 && performance.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, 20));
      for (const websocket of sockets.clients) websocket.terminate();
    },
  };
}
