import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import type { Source } from '../platform/live-feed.ts';
import { holdBoard, releaseBoard } from './presence-board.ts';
import type { PresenceEvent } from './presence-event.ts';

/**
 * Follows who is live in public: first a `joined` event for each who is, then each event as it happens; with `wallets` only theirs. Presence is a state
 * and no history, so who reads slowly at first is told where things stand rather than all that happened in between: no more than one event a user waits.
 *
 * @example
 * subscribe: (_root, _args, context) => live(followPresence(context, { wallets: null })),
 */
export function followPresence(
  deps: Pick<Deps, 'sql' | 'bus' | 'clock' | 'log'>,
  { wallets }: { readonly wallets: readonly Wallet[] | null },
): Source<PresenceEvent> {
  const board = holdBoard(deps);
  const wanted = wallets ? new Set<string>(wallets) : null;
  const wants = wanted ? (event: PresenceEvent) => wanted.has(event.wallet) : undefined;
  /** What happened since the first reading, until the follower goes along with the tail. */
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
    board() {
      if (waiting.size > 0) return false;
      unlisten?.();
      return true;
    },
    // It boards only when it has read all, and from then on hears each event once.
    knows: () => false,
    close() {
      if (closed) return;
      closed = true;
      unlisten?.();
      releaseBoard(deps);
    },
  };
}

type Kind = PresenceEvent['kind'];

/** What is told to one who has not heard of the earlier event yet; null: nothing at all. */
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
