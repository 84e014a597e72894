/** What live streams may take, each a bound on what one client can cost the others. The documents' table is made from it. */
export const LIVE_LIMITS = {
  /** The largest message a client may send, `connection_init` included. */
  messageBytes: 64 * 1024,
  initTimeoutMs: 5_000,
  /** Sockets that have not proven themselves yet; one more closes the oldest. */
  unprovenSockets: 2_000,
  streamsPerSocket: 100,
  idCharacters: 256,
  merchantConnections: 10_000,
  walletConnections: 100,
  pageConnections: 100,
  /** What may wait for a reader that does not keep up. */
  queueBytes: 1024 * 1024,
  catchUpTimeoutMs: 30_000,
  pingMs: 15_000,
} as const;

/** What the numbers of `LIVE_LIMITS` bound, in words, in the order of the documents. */
export const LIMIT_WORDS: Readonly<Record<keyof typeof LIVE_LIMITS, readonly [what: string, unit: string]>> = {
  messageBytes: ['a message to the server, `connection_init` included', 'bytes'],
  initTimeoutMs: ['time until `connection_init`', 'ms'],
  unprovenSockets: ['sockets that wait for `connection_init`; one more closes the oldest', ''],
  streamsPerSocket: ['subscriptions of a socket', ''],
  idCharacters: ['a subscription’s id', 'characters'],
  merchantConnections: ['sockets and event streams of a merchant, in one process', ''],
  walletConnections: ['the same of a signed-in wallet that is no merchant', ''],
  pageConnections: ['the same of a page token’s receipt or plan, or of an address that looks at who is live', ''],
  queueBytes: ['what waits for a reader that does not keep up', 'bytes'],
  catchUpTimeoutMs: ['time a reader may stand still while it catches up', 'ms'],
  pingMs: ['time between pings; a socket that answers none until the next is cut', 'ms'],
};

/** Why a socket is closed: the code, what it says, and whether a client does well to come back. */
export interface Close {
  readonly code: number;
  readonly reason: string;
  readonly when: string;
  readonly again: string;
}

const close = (code: number, reason: string, when: string, again: string): Close => ({ code, reason, when, again });

/** Every close code of the websocket door. Those up to 4429 are the protocol's (graphql-transport-ws). */
export const CLOSES = {
  goingAway: close(1001, 'Going away', 'The server ends.', 'at once, with the cursor'),
  tooLarge: close(1009, '', 'A message was larger than allowed.', 'no'),
  badRequest: close(4400, 'Invalid message received', 'A message was none of the protocol’s.', 'no'),
  unauthorized: close(4401, 'Unauthorized', '`subscribe` came before `connection_ack`.', 'no'),
  forbidden: close(
    4403,
    'Forbidden',
    '`connection_init` proves nothing, or the key was revoked, or the session has ended.',
    'with another proof',
  ),
  protocol: close(4406, 'Subprotocol not acceptable', 'The client does not speak `graphql-transport-ws`.', 'no'),
  initTimeout: close(4408, 'Connection initialisation timeout', '`connection_init` did not come in time.', 'yes'),
  duplicate: close(4409, 'Subscriber already exists', 'A subscription’s id is in use on this socket.', 'no'),
  secondInit: close(4429, 'Too many initialisation requests', '`connection_init` came twice.', 'no'),
  slow: close(4450, 'Reads too slowly', 'More waits for this client than it may.', 'with the cursor'),
  crowded: close(4451, 'Too many connections', 'Its merchant, wallet or receipt has as many as allowed.', 'later'),
  fault: close(4500, 'Internal server error', 'Something went wrong here, or the database is away.', 'later'),
} satisfies Readonly<Record<string, Close>>;
