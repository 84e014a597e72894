import { weakMemo } from '../core/weak-memo.ts';
import type { Bus } from './bus.ts';

/** Takes new events, in order, each once. The next come when what it returns is done. */
export type Listener<E> = (events: readonly E[]) => void | Promise<void>;

/**
 * The end of a stream, where new events come in: one for all who follow the same subject (a receipt, a merchant), so that each event is read once however
 * many follow. Who is behind catches up by itself, with a `Source`.
 */
export interface LiveFeed<E> {
  /** Hears what comes from now on, until the returned function is called. */
  listen(listener: Listener<E>): () => void;
}

/** A stretch of a stream. */
export interface Page<E> {
  readonly events: readonly E[];
  /** There is more to read at once. */
  readonly more: boolean;
  /** Something is there that may not be told yet: look again soon. */
  readonly held?: boolean;
  /** The stream is over. */
  readonly ended?: boolean;
}

/** One follower's way through a stream: it reads what it has missed, then goes along with the tail. */
export interface Source<E> {
  readonly tail: LiveFeed<E>;
  /** The next stretch that this follower alone has missed. */
  read(): Promise<Page<E>>;
  /** Whether it has caught up with the tail; where it has, it must listen to the tail at once. False: there is more to read. */
  board(): boolean;
  /** Whether it read this event itself before it boarded. */
  knows(event: E): boolean;
  /** Where only some events of the tail are meant for it. */
  wants?(event: E): boolean;
  /** What it reads are the same objects for everybody, and say the same whenever they are told: their bytes may be shared like the tail's. */
  readonly shared?: boolean;
  /** Lets go of everything. */
  close(): void;
}

/** How a stream with a history is read: positions are its cursors, and the bus's channel rings when there is something new. */
export interface History<E, P> {
  readonly bus: Bus;
  readonly channel: string;
  /** The events after a position, in order, as many as fit a page. */
  read(after: P): Promise<Page<E>>;
  positionOf(event: E): P;
  isAfter(position: P, other: P): boolean;
  /**
   * The given position, or the end of the history where the position lies beyond it. Without it, the caller of `follow` guarantees that no position lies
   * beyond the end.
   */
  clamp?(position: P): Promise<P>;
}

/** While rings are lost, every tail looks for itself this often. */
const LOOK_MS = 1_000;
/** Also while the bus is well each tail looks once in so many turns: a process killed between commit and ring leaves events that nobody rang for. */
const TURNS = 10;
/** Behind an older open transaction a tail looks again this much later, until that one has ended. */
const HELD_MS = 100;
/** After the database could not be read. */
const RETRY_MS = 500;

interface HistoryTail<E, P> extends LiveFeed<E> {
  /** Where it stands; null while nobody listens. */
  position(): P | null;
  /** Says where it begins; nobody listens yet. */
  begin(position: P): void;
  ring(): void;
  close(): void;
  users: number;
}

/** The tails of one bus. */
interface Tails {
  readonly open: Map<string, HistoryTail<unknown, unknown>>;
  look: NodeJS.Timeout | null;
  turn: number;
}

const tailsOf = weakMemo((_bus: Bus): Tails => ({ open: new Map(), look: null, turn: 0 }));

/**
 * Follows a stream after a position. The tail is opened with its first follower and closed with its last; its channel rings from before the first read, so
 * nothing is passed over between reading and listening.
 *
 * @param first what is read at the very first, in place of what comes after `from`: the current state, say
 */
export function follow<E, P>(history: History<E, P>, from: P, first?: () => Promise<Page<E>>): Source<E> {
  const tail = hold(history);
  let position = from;
  let begin = first;
  let closed = false;
  /** Whether the position is known to exist: it is an event's, or was compared with the end. */
  let exists = history.clamp === undefined;
  /** The tail has read up to its position, so a position that is not after it exists. */
  const isWithinTail = () => {
    const at = tail.position();
    return at !== null && !history.isAfter(position, at);
  };
  return {
    tail,
    async read() {
      const page = await (begin ? begin() : history.read(position));
      begin = undefined;
      const last = page.events.at(-1);
      if (last !== undefined) position = history.positionOf(last);
      else if (!exists && !isWithinTail()) position = (await history.clamp?.(position)) ?? position;
      else return page;
      exists = true;
      return page;
    },
    board() {
      const at = tail.position();
      // A tail that began beyond the end would never let other followers board.
      if (!exists && !isWithinTail()) return false;
      if (at === null) tail.begin(position);
      return at === null || !history.isAfter(at, position);
    },
    knows: (event) => !history.isAfter(history.positionOf(event), position),
    close() {
      if (closed) return;
      closed = true;
      release(history, tail);
    },
  };
}

function hold<E, P>(history: History<E, P>): HistoryTail<E, P> {
  const { bus, channel } = history;
  const tails = tailsOf(bus);
  let tail = tails.open.get(channel) as HistoryTail<E, P> | undefined;
  if (!tail) {
    tail = openTail(history);
    tails.open.set(channel, tail as never);
    tails.look ??= setInterval(look, LOOK_MS, bus, tails).unref();
  }
  tail.users += 1;
  return tail;
}

function release<E, P>({ bus, channel }: History<E, P>, tail: HistoryTail<E, P>): void {
  tail.users -= 1;
  if (tail.users > 0) return;
  tail.close();
  const tails = tailsOf(bus);
  tails.open.delete(channel);
  if (tails.open.size > 0 || !tails.look) return;
  clearInterval(tails.look);
  tails.look = null;
}

/** All tails look where rings are lost; else every tenth, the next ones each time. */
function look(bus: Bus, tails: Tails): void {
  const all = !bus.healthy();
  tails.turn = (tails.turn + 1) % TURNS;
  let n = 0;
  for (const tail of tails.open.values()) if (all || n++ % TURNS === tails.turn) tail.ring();
}

function openTail<E, P>({ bus, channel, read, positionOf }: History<E, P>): HistoryTail<E, P> {
  const listeners = new Set<Listener<E>>();
  let position: P | null = null;
  let rung = true;
  let reading = false;
  let again: NodeJS.Timeout | undefined;
  const ring = () => {
    rung = true;
    if (!reading && listeners.size > 0) void pump();
  };
  const ringIn = (ms: number) => {
    clearTimeout(again);
    again = setTimeout(ring, ms);
  };
  const unsubscribe = bus.subscribe(channel, ring, ring);

  async function pump(): Promise<void> {
    reading = true;
    while (rung && position !== null) {
      rung = false;
      try {
        const from = position;
        const page = await read(from);
        // Everybody left meanwhile, and the first to come back began elsewhere.
        if (position !== from) {
          rung = true;
          continue;
        }
        const last = page.events.at(-1);
        if (last !== undefined) {
          // In one breath with the telling: whoever boards later is measured against it.
          position = positionOf(last);
          await tell(page.events);
        }
        if (page.more) rung = true;
        else if (page.held) ringIn(HELD_MS);
      } catch {
        ringIn(RETRY_MS);
      }
    }
    reading = false;
  }

  async function tell(events: readonly E[]): Promise<void> {
    const slow: Promise<void>[] = [];
    for (const listener of listeners) {
      const done = listener(events);
      if (done) slow.push(done);
    }
    if (slow.length > 0) await Promise.all(slow);
  }

  return {
    users: 0,
    position: () => position,
    begin(at) {
      position = at;
    },
    ring,
    listen(listener) {
      listeners.add(listener);
      if (rung && !reading) void pump();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) position = null;
      };
    },
    close() {
      unsubscribe();
      clearTimeout(again);
      listeners.clear();
      position = null;
    },
  };
}
