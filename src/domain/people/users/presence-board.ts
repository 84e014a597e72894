import { boundedCache } from '../../../base/core/caches.ts';
import { keptBy } from '../../../base/core/kept.ts';
import type { Bus } from '../../../base/platform/bus.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { Listener, LiveFeed } from '../../../base/platform/live-feed.ts';
import { logFailure } from '../../../base/platform/log/outage.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { createPresenceState, PRESENCE_CHANNEL, type PresenceEvent, type PresenceMessage } from './presence-state.ts';
import { USER_COLUMNS } from './user.entity.ts';

/** This process's view of the publicly live users: read from the database, updated by bus messages. */
export interface PresenceBoard extends LiveFeed<PresenceEvent> {
  /**
   * One `joined` event per live user, of these wallets or of all. A `listen` in the same tick misses no event after it.
   */
  current(wallets: ReadonlySet<string> | null): PresenceEvent[];
  /** Resolves after the first read of the database. Rejects with `datastore_unavailable` if the read fails. */
  ready(): Promise<void>;
}

type BoardDeps = Pick<Deps, 'db' | 'bus' | 'clock' | 'log'>;

interface OpenBoard extends PresenceBoard {
  users: number;
  close(): void;
}

/** Interval of database reads while messages may be lost; otherwise the longer one, for writes that bypass the bus. */
const RELOAD_INTERVAL_MS = 1_000;
const IDLE_RELOAD_INTERVAL_MS = 20_000;
/** Cache size for the message numbers of publishing processes. */
const REMEMBERED = 20_000;

const LIVE = query('presence-live', (db, _: object) =>
  db.selectFrom('User').select(USER_COLUMNS).where('live', '=', true).where('spacePublic', '=', true),
);

/** One board per process, shared by all followers of presence. */
const boardOf = keptBy('board of live users', (_bus: Bus) => ({ open: null as OpenBoard | null }));

/**
 * Opens the shared board of this process, or adds a user to it. Pair it with `releaseBoard`; the last release closes
 * the board.
 */
export function holdBoard(deps: BoardDeps): PresenceBoard {
  const kept = boardOf(deps.bus);
  kept.open ??= openBoard(deps);
  kept.open.users += 1;
  return kept.open;
}

/** Releases the board. Call once per `holdBoard`. */
export function releaseBoard(bus: Bus): void {
  const kept = boardOf(bus);
  const board = kept.open;
  if (!board) return;
  board.users -= 1;
  if (board.users > 0) return;
  kept.open = null;
  board.close();
}

function openBoard({ db, bus, clock, log }: BoardDeps): OpenBoard {
  const state = createPresenceState(clock);
  const numbers = boundedCache<string, number>({ max: REMEMBERED });
  const listeners = new Set<Listener<PresenceEvent>>();

  function notify(events: readonly (PresenceEvent | null)[]): void {
    const changes = events.filter((event) => event !== null);
    if (changes.length > 0) for (const listener of listeners) void listener(changes);
  }

  let loadedAt = Number.NEGATIVE_INFINITY;
  let stale = true;
  let loading: Promise<void> | null = null;
  const load = () => {
    loading ??= read().finally(() => {
      loading = null;
    });
    return loading;
  };
  async function read(): Promise<void> {
    stale = false;
    const before = state.users(null);
    try {
      const users = await db.run(LIVE, {});
      loadedAt = performance.now();
      const found = new Set(users.map(({ wallet }) => wallet));
      // Ignore users that changed while the query was in flight.
      const missing = before.filter((user) => !found.has(user.wallet) && state.isCurrent(user));
      notify([...users.map(state.apply), ...missing.map(state.remove)]);
    } catch (error) {
      stale = true;
      throw error;
    }
  }
  function markStale(): void {
    stale = true;
    // A read in flight may be older than the lost message; the timer then reads again.
    if (!loading) loadOrLog();
  }
  function loadOrLog(): void {
    load().catch((error: Error) => logFailure(log, error, 'presence cannot be read'));
  }

  const unsubscribe = bus.subscribe(
    PRESENCE_CHANNEL,
    (text) => {
      const { from, number, users } = JSON.parse(text) as PresenceMessage;
      if (number > (numbers.get(from) ?? number - 1) + 1) markStale();
      numbers.set(from, number);
      notify(users.map(state.apply));
    },
    markStale,
  );
  const timer = setInterval(() => {
    if (stale || !bus.healthy() || performance.now() > loadedAt + IDLE_RELOAD_INTERVAL_MS) loadOrLog();
  }, RELOAD_INTERVAL_MS);

  return {
    users: 0,
    async ready() {
      if (loadedAt === Number.NEGATIVE_INFINITY) await load();
    },
    current: (wallets) => state.users(wallets).map(state.joinedEvent),
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      clearInterval(timer);
      unsubscribe();
    },
  };
}
