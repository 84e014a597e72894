import { follow } from './follow.ts';
import {
  LivePresence,
  type LivePresenceSubscription,
  type LiveUserFragment,
  PresenceOf,
} from './generated/operations.ts';
import type { Operation } from './operation.ts';
import { backoffMs, type CallOptions, pause, type Requester } from './request.ts';
import type { Answer } from './routes.ts';
import type { Connection } from './stream.ts';

/** A user who joins, changes or leaves. */
export type PresenceEvent = LiveUserFragment;

export interface FollowPresence extends CallOptions {
  /** Only these users, 1 to 200 wallets. Default: all users. */
  readonly wallets?: readonly string[];
}

type Item = PresenceEvent | { readonly kind: 'absent'; readonly wallet: string };

/** The users who are publicly live. */
export function createPresence(requester: Requester) {
  return {
    /** The users who are live now. */
    list: (call: CallOptions = {}): Promise<Answer<'liveUsers'>> =>
      requester.send({ method: 'GET', path: '/api/users/live', safe: true, ...call }),

    /**
     * First a `joined` event for each user who is live, then each join, change and leave, also across restarts of the
     * server. Presence has no history, so after each connection the client compares the users who are live with those
     * that it has reported, and reports the difference.
     */
    follow({ wallets, signal }: FollowPresence = {}): AsyncGenerator<PresenceEvent, void, undefined> {
      const board = createBoard();
      const all = { query: LivePresence, variables: {} };
      const some = { query: PresenceOf, variables: { wallets: [...(wallets ?? [])].map((w) => w.toLowerCase()) } };
      const { query, variables } = (wallets ? some : all) as { query: Operation<Data, object>; variables: object };
      return follow(requester, {
        signal,
        async next() {
          board.reconnect();
          return {
            query,
            variables,
            opened: (connection) => void reportAbsent(requester, board, connection, signal).catch(connection.fail),
          };
        },
        receive: (data: Data) => board.receive(data.livePresence ?? data.presenceOf),
      });
    },
  };
}

/** Either subscription's data. The client's own item says that a user is no longer live. */
interface Data {
  readonly livePresence?: LivePresenceSubscription['livePresence'] | Item;
  readonly presenceOf?: PresenceEvent;
}

/** The users who were reported as live. */
function createBoard() {
  const live = new Map<string, PresenceEvent>();
  /** Users who were live before the connection, and whom it has not mentioned yet. */
  let unseen = new Set<string>();

  function* receive(item: Item | undefined): Iterable<PresenceEvent> {
    if (!item) return;
    const { wallet } = item;
    const known = live.get(wallet);
    if (item.kind === 'absent') {
      if (!known || !unseen.delete(wallet)) return;
      live.delete(wallet);
      yield { ...known, kind: 'left', at: Date.now(), user: { ...known.user, liveSince: null } };
      return;
    }
    unseen.delete(wallet);
    if (item.kind === 'left') {
      if (live.delete(wallet)) yield item;
      return;
    }
    live.set(wallet, item);
    if (!known) yield { ...item, kind: 'joined' };
    else if (JSON.stringify(known.user) !== JSON.stringify(item.user)) yield { ...item, kind: 'changed' };
  }

  return {
    receive,
    reconnect() {
      unseen = new Set(live.keys());
    },
    unseen: (): readonly string[] => [...unseen],
  };
}

/**
 * Reports the users who left while there was no connection. A user of whom the connection says nothing has left, or
 * is about to be mentioned: the list of live users is read until it is known which.
 */
async function reportAbsent(
  requester: Requester,
  board: ReturnType<typeof createBoard>,
  { push, isOver }: Connection<Data>,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let attempt = 0; board.unseen().length > 0 && !isOver(); attempt++) {
    const { live, degraded } = await createPresence(requester).list({ signal });
    const present = new Set(live.map(({ wallet }) => wallet));
    if (!degraded)
      for (const wallet of board.unseen()) if (!present.has(wallet)) push({ livePresence: { kind: 'absent', wallet } });
    await pause(backoffMs(attempt), signal);
  }
}
