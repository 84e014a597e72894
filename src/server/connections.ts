import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';

/** How long a request may take to arrive: its headers, and all of it with its body. An answer, a stream or a websocket may take longer. */
export const REQUEST_TIMEOUTS = {
  headersTimeout: 20_000,
  requestTimeout: 30_000,
  /** How often Node looks for requests that are late. */
  connectionsCheckingInterval: 5_000,
} as const;

/** Open connections of one public address, websockets and event streams included. */
export const CONNECTIONS_PER_ADDRESS = 2_000;

/** What is over the bound is refused without an answer. */
export interface ConnectionBound {
  /** Whether one more connection of this address may stay. `left` must be called when it closes. */
  enter(address: string): boolean;
  left(address: string): void;
}

/**
 * Bounds the open connections of each public address. Loopback and private addresses are those of proxies and tests, which carry many clients, and are
 * not bounded.
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
 * Looks after the sockets of a server: each has an error listener for as long as it lives, so that a reset never ends the process, and an address has no
 * more of them than its bound. Behind an edge all connections are the edge's, so there is no bound.
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
