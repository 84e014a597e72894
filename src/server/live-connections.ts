import type { Caller } from '../core/caller.ts';
import { endedAmong } from '../gateway/authenticate.ts';
import { type Counted, networkOf } from '../gateway/rate-limits.ts';
import type { Deps } from '../platform/deps.ts';
import { LIVE_LIMITS } from './live-limits.ts';

/** Connections that stay open on a proof: websockets and event streams. */
export interface Residents {
  /** Takes one in, until the returned function is called; `expel` is called once its key or session has ended. Null: its owner has too many. */
  enter(counted: Counted, expel: () => void): (() => void) | null;
  close(): void;
}

/** How often all are looked at: one statement, whatever their number. */
const RECHECK_MS = 2_000;

/** Makes the register of a server's open connections. */
export function createResidents(deps: Pick<Deps, 'sql' | 'clock'>): Residents {
  /** By the id of what they live on. */
  const keys = new Map<string, Set<() => void>>();
  const sessions = new Map<string, Set<() => void>>();
  const owners = new Map<string, number>();

  const recheck = setInterval(async () => {
    const ended = await endedAmong(deps, { keyIds: [...keys.keys()], sessionIds: [...sessions.keys()] }).catch(
      () => new Set<string>(),
    );
    for (const id of ended) for (const expel of keys.get(id) ?? sessions.get(id) ?? []) expel();
  }, RECHECK_MS);
  recheck.unref();

  return {
    enter({ caller, ip }, expel) {
      const [owner, most] = ownerOf(caller, ip);
      const there = owners.get(owner) ?? 0;
      if (there >= most) return null;
      owners.set(owner, there + 1);
      const leave = live(caller, expel);
      let inside = true;
      return () => {
        if (!inside) return;
        inside = false;
        leave();
        const left = (owners.get(owner) as number) - 1;
        if (left > 0) owners.set(owner, left);
        else owners.delete(owner);
      };
    },
    close: () => clearInterval(recheck),
  };

  function live(caller: Caller, expel: () => void): () => void {
    if (caller.kind === 'developer') return among(keys, caller.keyId, expel);
    if (caller.kind === 'session') return among(sessions, caller.sessionId, expel);
    return () => {};
  }
}

function among(all: Map<string, Set<() => void>>, id: string, expel: () => void): () => void {
  const same = all.get(id) ?? new Set();
  all.set(id, same.add(expel));
  return () => {
    same.delete(expel);
    if (same.size === 0) all.delete(id);
  };
}

/** Whom connections are counted for, and how many they may have. */
function ownerOf(caller: Caller, ip: string): [owner: string, most: number] {
  const { merchantConnections, walletConnections, pageConnections } = LIVE_LIMITS;
  switch (caller.kind) {
    case 'developer':
      return [caller.merchant, merchantConnections];
    case 'session':
      return caller.merchant ? [caller.merchant, merchantConnections] : [caller.wallet, walletConnections];
    case 'buyer':
      // Strangers who look at a page do not take the connections of the buyer.
      return [`receipt ${caller.merchant} ${caller.receiptId} ${caller.readOnly ? 'read-only' : ''}`, pageConnections];
    case 'subscriber':
      return [`plan ${caller.merchant} ${caller.planId}`, pageConnections];
    case 'visitor':
      // The page is open to everybody at once, so each counts by where it comes from.
      return [`live ${networkOf(ip)}`, pageConnections];
    default:
      return [caller.kind, merchantConnections];
  }
}
