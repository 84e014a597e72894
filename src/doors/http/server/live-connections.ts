import type { Caller } from '../../../base/core/caller.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { endedAmong, nameOfSession } from '../../../domain/access/gateway/authenticate.ts';
import { type Counted, networkOf } from '../../../domain/access/gateway/rate-limits.ts';
import { onSessionChanged } from '../../../domain/access/gateway/session.ts';
import { LIVE_LIMITS } from './live-limits.ts';

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
