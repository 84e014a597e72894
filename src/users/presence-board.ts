import { LRUCache } from 'lru-cache';
import type { Wallet } from '../core/wallet.ts';
import { weakMemo } from '../core/weak-memo.ts';
import type { Bus } from '../platform/bus.ts';
import type { Deps } from '../platform/deps.ts';
import type { Listener, LiveFeed } from '../platform/live-feed.ts';
import { logFailure } from '../platform/outage.ts';
import { statement } from '../platform/sql.ts';
import { PRESENCE_CHANNEL, type PresenceEvent, type PresenceMessage } from './presence-event.ts';
import { COLUMNS, isPublic, type UserRecord } from './record.ts';

/** Who is live and public now, as this process knows it: read from the database, kept up to date by the bus. */
export interface PresenceBoard extends LiveFeed<PresenceEvent> {
  /** One `joined` event for each who is live, of these wallets or of all. Nothing is missed between this and a `listen` of the same turn. */
  current(wallets: ReadonlySet<string> | null): PresenceEvent[];
  /** Resolves once the database was read. Rejects with `datastore_unavailable` where it could not be. */
  ready(): Promise<void>;
}

type BoardDeps = Pick<Deps, 'sql' | 'bus' | 'clock' | 'log'>;

interface OpenBoard extends PresenceBoard {
  users: number;
  close(): void;
}

/** While messages are lost the database is read this often; else now and then, for what was written past the bus. */
const LOOK_MS = 1_000;
const LOOK_ANYWAY_MS = 20_000;
/** How many of those who went, and of the processes that tell of them, are remembered. */
const REMEMBERED = 20_000;

const LIVE = statement('presence-live', `select ${COLUMNS} from users where live and space_public`);

/** One board for all of a process who follow presence. */
const boards = new WeakMap<Bus, OpenBoard>();

/** Opens the board of this process, or joins those who have; `releaseBoard` lets go of it, and the last one closes it. */
export function holdBoard(deps: BoardDeps): PresenceBoard {
  const board = boards.get(deps.bus) ?? openBoard(deps);
  boards.set(deps.bus, board);
  board.users += 1;
  return board;
}

/** Lets go of the board, once for each `holdBoard`. */
export function releaseBoard({ bus }: Pick<Deps, 'bus'>): void {
  const board = boards.get(bus);
  if (!board) return;
  board.users -= 1;
  if (board.users > 0) return;
  boards.delete(bus);
  board.close();
}

/**
 * Messages and readings of the database are taken alike: whatever is of a later version than what is known. So lost messages are made up for, and doubled
 * or overtaken ones do nothing.
 */
function openBoard({ sql, bus, clock, log }: BoardDeps): OpenBoard {
  const live = new Map<Wallet, UserRecord>();
  /** Versions of those who went, so that a message which was overtaken does not bring them back. */
  const gone = new LRUCache<Wallet, number>({ max: REMEMBERED });
  const numbers = new LRUCache<string, number>({ max: REMEMBERED });
  const listeners = new Set<Listener<PresenceEvent>>();

  function leave(user: UserRecord): PresenceEvent {
    live.delete(user.wallet);
    gone.set(user.wallet, user.version);
    return eventOf('left', { ...user, live: false, liveSince: null, spaceUrl: '', platform: '' });
  }
  function take(user: UserRecord): PresenceEvent | null {
    const known = live.get(user.wallet);
    if (user.version <= (known?.version ?? gone.get(user.wallet) ?? -1)) return null;
    if (!isPublic(user)) {
      if (known) return leave(user);
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
    user: { ...user, told: true },
  });
  /** The same for all who come while this is how it stands, so that it is executed once for them. */
  const standing = weakMemo((user: UserRecord) => eventOf('joined', user));
  function tell(events: readonly (PresenceEvent | null)[]): void {
    const told = events.filter((event) => event !== null);
    if (told.length > 0) for (const listener of listeners) void listener(told);
  }

  let lookedAt = Number.NEGATIVE_INFINITY;
  let doubted = true;
  let looking: Promise<void> | null = null;
  const look = () => {
    looking ??= read().finally(() => {
      looking = null;
    });
    return looking;
  };
  async function read(): Promise<void> {
    doubted = false;
    const before = [...live.values()];
    try {
      const users = await sql.rows<UserRecord>(LIVE, []);
      lookedAt = performance.now();
      const found = new Set(users.map(({ wallet }) => wallet));
      // Who came or changed while the answer was on its way is none of its business.
      const missing = before.filter((user) => !found.has(user.wallet) && live.get(user.wallet) === user);
      tell([...users.map(take), ...missing.map(leave)]);
    } catch (error) {
      doubted = true;
      throw error;
    }
  }
  function doubt(): void {
    doubted = true;
    // What is being read may be older than what was missed: then it is read again, in its turn.
    if (!looking) lookOrTell();
  }
  function lookOrTell(): void {
    look().catch((error: Error) => logFailure(log, error, 'presence cannot be read'));
  }

  const unsubscribe = bus.subscribe(
    PRESENCE_CHANNEL,
    (text) => {
      const { from, number, users } = JSON.parse(text) as PresenceMessage;
      if (number > (numbers.get(from) ?? number - 1) + 1) doubt();
      numbers.set(from, number);
      tell(users.map(take));
    },
    doubt,
  );
  const timer = setInterval(() => {
    if (doubted || !bus.healthy() || performance.now() > lookedAt + LOOK_ANYWAY_MS) lookOrTell();
  }, LOOK_MS);

  return {
    users: 0,
    async ready() {
      if (lookedAt === Number.NEGATIVE_INFINITY) await look();
    },
    current(wallets) {
      const users = wallets ? [...wallets].flatMap((wallet) => live.get(wallet as Wallet) ?? []) : [...live.values()];
      return users.map(standing);
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
