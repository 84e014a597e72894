/**
 * Limits of live streams. Each bounds the load that one client can cause. The table in the documentation is generated
 * from it.
 */
export const LIVE_LIMITS = {
  /** The largest message a client may send, `connection_init` included. */
  messageBytes: 64 * 1024,
  initTimeoutMs: 5_000,
  /** Sockets that are not authenticated yet; one more closes the oldest. */
  unprovenSockets: 2_000,
  streamsPerSocket: 100,
  idCharacters: 256,
  merchantConnections: 10_000,
  walletConnections: 100,
  pageConnections: 100,
  /** The bytes that may wait for a slow reader. */
  queueBytes: 1024 * 1024,
  catchUpTimeoutMs: 30_000,
  pingMs: 15_000,
} as const;

/** The words of each limit, in the order of the documentation. */
export const LIMIT_WORDS: Readonly<Record<keyof typeof LIVE_LIMITS, readonly [what: string, unit: string]>> = {
  messageBytes: ['a message to the server, `connection_init` included', 'bytes'],
  initTimeoutMs: ['time until `connection_init`', 'ms'],
  unprovenSockets: ['sockets that wait for `connection_init`; one more closes the oldest', ''],
  streamsPerSocket: ['subscriptions of a socket', ''],
  idCharacters: ['a subscription’s id', 'characters'],
  merchantConnections: ['sockets and event streams of a merchant, in one process', ''],
  walletConnections: ['the same for a signed-in wallet that is not a merchant', ''],
  pageConnections: ['the same for a page token’s receipt or plan, or for an address that views the live users', ''],
  queueBytes: ['data buffered for a slow reader', 'bytes'],
  catchUpTimeoutMs: ['time a reader may stall while it catches up', 'ms'],
  pingMs: ['time between pings; a socket that does not answer before the next is closed', 'ms'],
};

/** A close code of a socket: code, reason, cause, and whether the client should reconnect. */
export interface Close {
  readonly code: number;
  readonly reason: string;
  readonly when: string;
  readonly again: string;
}

const close = (code: number, reason: string, when: string, again: string): Close => ({ code, reason, when, again });

/** Every close code of the websocket endpoint. Those up to 4429 are the protocol's (graphql-transport-ws). */
export const CLOSES = {
  goingAway: close(1001, 'Going away', 'The server shuts down.', 'immediately, with the cursor'),
  tooLarge: close(1009, '', 'A message was larger than allowed.', 'no'),
  badRequest: close(4400, 'Invalid message received', 'The message is not valid `graphql-transport-ws`.', 'no'),
  unauthorized: close(4401, 'Unauthorized', '`subscribe` came before `connection_ack`.', 'no'),
  forbidden: close(
    4403,
    'Forbidden',
    '`connection_init` has no valid proof, the key was revoked, or the session has ended.',
    'with another proof',
  ),
  protocol: close(4406, 'Subprotocol not acceptable', 'The client does not speak `graphql-transport-ws`.', 'no'),
  initTimeout: close(4408, 'Connection initialisation timeout', '`connection_init` did not arrive in time.', 'yes'),
  duplicate: close(4409, 'Subscriber already exists', 'A subscription’s id is in use on this socket.', 'no'),
  secondInit: close(4429, 'Too many initialisation requests', '`connection_init` was sent twice.', 'no'),
  slow: close(4450, 'Reads too slowly', 'The client’s buffer is full.', 'with the cursor'),
  crowded: close(
    4451,
    'Too many connections',
    'Its merchant, wallet or receipt has reached the connection limit.',
    'later',
  ),
  fault: close(4500, 'Internal server error', 'An internal error, or the database is unavailable.', 'later'),
} satisfies Readonly<Record<string, Close>>;
