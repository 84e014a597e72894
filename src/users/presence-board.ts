import { LRUCache } from 'lru-cache';
import type { Wallet } from '../core/wallet.ts';
import { weakMemo } from '../core/weak-memo.ts';
import type { Bus } from '../platform/bus.ts';
import type { Deps } from '../platform/deps.ts';
import type { Listener, LiveFeed } from '../platform/live-feed.ts';
import { logFailure } from '../platform/outage.ts';
import { query } from '../platform/query.ts';
import { PRESENCE_CHANNEL, type PresenceEvent, type PresenceMessage } from './presence-event.ts';
import { isPublic, type UserRecord } from './record.ts';
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

type BoardDeps = Pick<Deps, 'sql' | 'bus' | 'clock' | 'log'>;

interface OpenBoard extends PresenceBoard {
  users: number;
  close(): void;
}

/** Interval of database reads while messages may be lost; otherwise the longer one, for writes that bypass the bus. */
const RELOAD_INTERVAL_MS = 1_000;
const IDLE_RELOAD_INTERVAL_MS = 20_000;
/** Cache size for users that left, and for the message numbers of publishing processes. */
const REMEMBERED = 20_000;

const LIVE = query('presence-live', (db, _: object) =>
  db.selectFrom('User').select(USER_COLUMNS).where('live', '=', true).where('spacePublic', '=', true),
);

/** One board per process, shared by all followers of presence. */
const boards = new WeakMap<Bus, OpenBoard>();

/**
 * Opens the shared board of this process, or adds a user to it. Pair it with `releaseBoard`; the last release closes
 * the board.
 */
export function holdBoard(deps: BoardDeps): PresenceBoard {
  const board = boards.get(deps.bus) ?? openBoard(deps);
  boards.set(deps.bus, board);
  board.users += 1;
  return board;
}

/** Releases the board. Call once per `holdBoard`. */
export function releaseBoard({ bus }: Pick<Deps, 'bus'>): void {
  const board = boards.get(bus);
  if (!board) return;
  board.users -= 1;
  if (board.users > 0) return;
  boards.delete(bus);
  board.close();
}

/**
 * A user from a message or a database read is applied only if its version is higher than the known one. Therefore reads
 * repair lost messages, and duplicate or late messages have no effect.
 */
function openBoard({ sql, bus, clock, log }: BoardDeps): OpenBoard {
  const live = new Map<Wallet, UserRecord>();
  /** Versions of users that left, so that a late message does not add them again. */
  const gone = new LRUCache<Wallet, number>({ max: REMEMBERED });
  const numbers = new LRUCache<string, number>({ max: REMEMBERED });
  const listeners = new Set<Listener<PresenceEvent>>();

  function remove(user: UserRecord): PresenceEvent {
    live.delete(user.wallet);
    gone.set(user.wallet, user.version);
    return eventOf('left', { ...user, live: false, liveSince: null, spaceUrl: '', platform: '' });
  }
  function apply(user: UserRecord): PresenceEvent | null {
    const known = live.get(user.wallet);
    if (user.version <= (known?.version ?? gone.get(user.wallet) ?? -1)) return null;
    if (!isPublic(user)) {
      if (known) return remove(user);
      gone.set(user.wallet, user.version);
      return null;
    }
    gone.delete(user.wallet);
    live.set(user.wallet, user);
    return eventOf(known ? 'changed' : 'joined', user);
  }
  const eventOf = (kind: PresenceEvent['kind'], user: UserRecord): PresenceEvent => ({
    kind,
    wallet: user.wallet,
    at: clock(),
    user: { ...user, shared: true },
  });
  /** New followers share one `joined` event per state of a user, so that its GraphQL result is computed once. */
  const joinedEventOf = weakMemo((user: UserRecord) => eventOf('joined', user));
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
    const before = [...live.values()];
    try {
      const users = await sql.run(LIVE, {});
      loadedAt = performance.now();
      const found = new Set(users.map(({ wallet }) => wallet));
      // Ignore users that changed while the query was in flight.
      const missing = before.filter((user) => !found.has(user.wallet) && live.get(user.wallet) === user);
      notify([...users.map(apply), ...missing.map(remove)]);
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
      notify(users.map(apply));
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
    current(wallets) {
      const users = wallets ? [...wallets].flatMap((wallet) => live.get(wallet as Wallet) ?? []) : [...live.values()];
      return users.map(joinedEventOf);
    },
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
