import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { Source } from '../../../base/platform/live-feed.ts';
import { holdBoard, releaseBoard } from './presence-board.ts';
import type { PresenceEvent } from './presence-state.ts';

/**
 * Streams public presence: first a `joined` event per live user, then each event as it happens; with `wallets` only
 * theirs. Presence is a state, not a history: until a slow reader has caught up, events of one user are merged, so at
 * most one event per user is queued.
 *
 * @example
 * subscribe: (_root, _args, context) => live(followPresence(context, { wallets: null })),
 */
export function followPresence(
  deps: Pick<Deps, 'db' | 'bus' | 'clock' | 'log'>,
  { wallets }: { readonly wallets: readonly Wallet[] | null },
): Source<PresenceEvent> {
  const board = holdBoard(deps);
  const wanted = wallets ? new Set<string>(wallets) : null;
  const wants = wanted ? (event: PresenceEvent) => wanted.has(event.wallet) : undefined;
  /** Events since the first read, until the follower switches to the shared feed. */
  const waiting = new Map<Wallet, PresenceEvent>();
  let unlisten: (() => void) | null = null;
  let closed = false;
  return {
    tail: board,
    wants,
    shared: true,
    async read() {
      if (!unlisten) {
        await board.ready();
        unlisten ??= board.listen((events) => {
          for (const event of events) if (wants?.(event) ?? true) merge(waiting, event);
        });
        return { events: board.current(wanted), more: false };
      }
      const events = [...waiting.values()];
      waiting.clear();
      return { events, more: false };
    },
    joinFeed() {
      if (waiting.size > 0) return false;
      unlisten?.();
      return true;
    },
    // The follower joins the shared feed only after it has read all events, so it never receives an event twice.
    hasRead: () => false,
    close() {
      if (closed) return;
      closed = true;
      unlisten?.();
      releaseBoard(deps.bus);
    },
  };
}

type Kind = PresenceEvent['kind'];

/** The event that replaces an undelivered one and its successor; null: both are dropped. */
const MERGED: Readonly<Record<Kind, Readonly<Record<Kind, Kind | null>>>> = {
  joined: { joined: 'joined', changed: 'joined', left: null },
  changed: { joined: 'changed', changed: 'changed', left: 'left' },
  left: { joined: 'changed', changed: 'changed', left: 'left' },
};

function merge(waiting: Map<Wallet, PresenceEvent>, event: PresenceEvent): void {
  const earlier = waiting.get(event.wallet);
  const kind = earlier ? MERGED[earlier.kind][event.kind] : event.kind;
  if (kind) waiting.set(event.wallet, { ...event, kind });
  else waiting.delete(event.wallet);
}
