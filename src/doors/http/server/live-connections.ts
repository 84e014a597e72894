import type { Caller } from '../../../base/core/caller.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { endedAmong, nameOfSession } from '../../../domain/access/gateway/authenticate.ts';
import { type Counted, networkOf } from '../../../domain/access/gateway/rate-limits.ts';
import { onSessionChanged } from '../../../domain/access/gateway/session.ts';

/** What a connection carries: GraphQL over a websocket or as server-sent events, or an export. */
const CONNECTION_KINDS = ['websocket', 'event_stream', 'export'] as const;
type ConnectionKind = (typeof CONNECTION_KINDS)[number];

/** The register of open websockets and event streams. */
export interface LiveConnections {
  /** The number of open connections of each kind. */
  readonly counts: Readonly<Record<ConnectionKind, number>>;
  /**
   * Adds a connection until the returned function is called. Calls `cut` once its key or session has ended,
   * or the role of its session has changed. Returns
   * null if its owner has too many connections.
   */
  enter(kind: ConnectionKind, counted: Counted, cut: () => void): (() => void) | null;
  close(): void;
}

/** How often the keys and sessions of all connections are checked, in one statement. */
const RECHECK_MS = 2_000;

/** Creates the register of a server's open connections. */
export function createLiveConnections(deps: Pick<Deps, 'db' | 'clock'>): LiveConnections {
  /** Connections by the id of their key, or by `nameOfSession`. */
  const keys = new Map<string, Set<() => void>>();
  const sessions = new Map<string, Set<() => void>>();
  const owners = new Map<string, number>();
  const counts = Object.fromEntries(CONNECTION_KINDS.map((kind) => [kind, 0])) as Record<ConnectionKind, number>;

  async function check(): Promise<void> {
    const ended = await endedAmong(deps.db, deps.clock(), {
      keyIds: [...keys.keys()],
      sessions: [...sessions.keys()],
    }).catch(() => new Set<string>());
    for (const id of ended) for (const cut of keys.get(id) ?? sessions.get(id) ?? []) cut();
  }
  const recheck = setInterval(check, RECHECK_MS);
  recheck.unref();
  // A session that has ended or changed its role is checked at once, in every process.
  const unsubscribe = onSessionChanged(deps.db, (id) => {
    if (id !== null && [...sessions.keys()].some((name) => name.startsWith(`${id} `))) void check();
  });

  return {
    counts,
    enter(kind, { caller, ip }, cut) {
      const [owner, most] = ownerOf(caller, ip);
      const there = owners.get(owner) ?? 0;
      if (there >= most) return null;
      owners.set(owner, there + 1);
      counts[kind] += 1;
      const leave = live(caller, cut);
      let inside = true;
      return () => {
        if (!inside) return;
        inside = false;
        counts[kind] -= 1;
        leave();
        const left = (owners.get(owner) as number) - 1;
        if (left > 0) owners.set(owner, left);
        else owners.delete(owner);
      };
    },
    close() {
      clearInterval(recheck);
      unsubscribe();
    },
  };

  function live(caller: Caller, cut: () => void): () => void {
    if (caller.kind === 'developer') return among(keys, caller.keyId, cut);
    if (caller.kind === 'session')
      return among(sessions, nameOfSession({ id: caller.sessionId, role: caller.role }), cut);
    return () => {};
  }
}

function among(all: Map<string, Set<() => void>>, id: string, cut: () => void): () => void {
  const same = all.get(id) ?? new Set();
  all.set(id, same.add(cut));
  return () => {
    same.delete(cut);
    if (same.size === 0) all.delete(id);
  };
}

/** The owner that connections are counted for, and the limit. */
function ownerOf(caller: Caller, ip: string): [owner: string, most: number] {
  const { merchantConnections, walletConnections, pageConnections } = LIVE_LIMITS;
  switch (caller.kind) {
    case 'developer':
      return [caller.merchant, merchantConnections];
    case 'session':
      return caller.merchant ? [caller.merchant, merchantConnections] : [caller.wallet, walletConnections];
    case 'buyer':
      // Read-only viewers of a page do not use up the buyer's connections.
      return [`receipt ${caller.merchant} ${caller.receiptId} ${caller.readOnly ? 'read-only' : ''}`, pageConnections];
    case 'subscriber':
      return [`plan ${caller.merchant} ${caller.planId}`, pageConnections];
    case 'visitor':
      // The page is public, so its viewers are counted by address.
      return [`live ${networkOf(ip)}`, pageConnections];
    default:
      return [caller.kind, merchantConnections];
  }
}

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
