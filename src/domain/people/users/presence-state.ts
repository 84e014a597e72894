import { boundedCache, weakMemo } from '../../../base/core/caches.ts';
import { newUuid } from '../../../base/core/ids.ts';
import { keptBy } from '../../../base/core/kept.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Bus } from '../../../base/platform/bus.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { isPublic, type UserRecord } from './record.ts';

/** Cache size for users that left. */
const REMEMBERED = 20_000;

/** The publicly live users that this process has seen. */
export interface PresenceState {
  /**
   * Applies the state of a user from a message or a database read, if its version is higher than the known one.
   * Therefore reads repair lost messages, and duplicate or late messages have no effect. Returns the change, or null.
   */
  apply(user: UserRecord): PresenceEvent | null;
  /** Removes a user that the database does not list as live. */
  remove(user: UserRecord): PresenceEvent;
  /** Whether this is the latest known state of a live user. */
  isCurrent(user: UserRecord): boolean;
  /** The live users: of these wallets, or all. */
  users(wallets: ReadonlySet<string> | null): UserRecord[];
  /** New followers share one `joined` event per state of a user, so that its GraphQL result is computed once. */
  joinedEvent(user: UserRecord): PresenceEvent;
}

/** Creates the state of a process, without users. `clock` gives the time of events. */
export function createPresenceState(clock: Deps['clock']): PresenceState {
  const live = new Map<string, UserRecord>();
  /** Versions of users that left, so that a late message does not add them again. */
  const gone = boundedCache<Wallet, number>({ max: REMEMBERED });

  const eventOf = (kind: PresenceEvent['kind'], user: UserRecord): PresenceEvent => ({
    kind,
    wallet: user.wallet,
    at: clock(),
    user: { ...user, shared: true },
  });
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
  return {
    apply,
    remove,
    isCurrent: (user) => live.get(user.wallet) === user,
    users: (wallets) => (wallets ? [...wallets].flatMap((wallet) => live.get(wallet) ?? []) : [...live.values()]),
    joinedEvent: weakMemo((user: UserRecord) => eventOf('joined', user)),
  };
}

/** A publicly live user joined, changed or left. Making the space private while live counts as leaving. */
export interface PresenceEvent {
  readonly kind: 'joined' | 'changed' | 'left';
  readonly wallet: Wallet;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The user at that time. For `left`: not live, without space. */
  readonly user: UserRecord;
}

/** A bus message between processes: users after a change. Numbered, so that receivers detect lost messages. */
export interface PresenceMessage {
  readonly from: string;
  readonly number: number;
  readonly users: readonly UserRecord[];
}

export const PRESENCE_CHANNEL = 'presence';
/** The maximum number of users per message. */
const AT_ONCE = 50;

const publisherOf = keptBy('publisher of presence', (_bus: Bus) => ({ from: newUuid(), sent: 0 }));

/** Publishes the new state of users to every process. Call after commit. */
export function publishPresence(bus: Bus, users: readonly UserRecord[]): void {
  const publisher = publisherOf(bus);
  for (let at = 0; at < users.length; at += AT_ONCE) {
    publisher.sent += 1;
    const message: PresenceMessage = {
      from: publisher.from,
      number: publisher.sent,
      users: users.slice(at, at + AT_ONCE),
    };
    bus.publish(PRESENCE_CHANNEL, JSON.stringify(message));
  }
}
