import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import ipaddr from 'ipaddr.js';

/**
 * The time limits for receiving a request: its headers, and all of it with its body. They do not limit the response, a
 * stream or a websocket.
 */
export const REQUEST_TIMEOUTS = {
  headersTimeout: 20_000,
  requestTimeout: 30_000,
  /** How often Node checks for late requests. */
  connectionsCheckingInterval: 5_000,
} as const;

/** The largest number of open connections of one public address, including websockets and event streams. */
const CONNECTIONS_PER_ADDRESS = 2_000;

/** Limits connections. One above the limit is closed without an answer. */
export interface ConnectionBound {
  /** Whether one more connection of this address may stay open. `left` must be called when it closes. */
  enter(address: string): boolean;
  left(address: string): void;
}

/**
 * Limits the open connections of each public address. Loopback and private addresses belong to proxies and tests, which
 * carry many clients, and have no limit.
 */
export function boundConnections(limit = CONNECTIONS_PER_ADDRESS): ConnectionBound {
  const open = new Map<string, number>();
  return {
    enter(address) {
      if (!isPublic(address)) return true;
      const count = open.get(address) ?? 0;
      if (count >= limit) return false;
      open.set(address, count + 1);
      return true;
    },
    left(address) {
      const count = open.get(address);
      if (count === undefined) return;
      if (count === 1) open.delete(address);
      else open.set(address, count - 1);
    },
  };
}

const isPublic = (address: string): boolean => ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';

/**
 * Guards the sockets of a server. Each socket has an error listener for its whole life, so that a connection reset
 * never ends the process. Each address has a connection limit, except behind an edge, where all connections come from
 * the edge.
 */
export function guardConnections(server: Server, { behindEdge }: { readonly behindEdge: boolean }): void {
  const bound = behindEdge ? null : boundConnections();
  const guard = (socket: Socket) => socket.on('error', () => socket.destroy());
  server.on('connection', (socket: Socket) => {
    guard(socket);
    const address = socket.remoteAddress ?? '';
    if (!bound?.enter(address)) return void (bound && socket.destroy());
    socket.once('close', () => bound.left(address));
  });
  server.on('secureConnection', guard);
}

/** How long a running request may take during shutdown. The process has ten seconds for everything. */
const DRAIN_MS = 6_000;

/** Closes connections whose request is incomplete or still running after the limit. They would prevent a clean exit. */
export function cutAfterDrain(server: FastifyInstance): void {
  server.addHook('preClose', async () => {
    const cut = setTimeout(() => server.server.closeAllConnections(), DRAIN_MS);
    server.server.once('close', () => clearTimeout(cut));
  });
}
