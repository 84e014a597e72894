import { keptBy } from '../core/kept.ts';
import { apartFromWork } from '../core/traced.ts';
import type { Bus } from './bus.ts';

/** Handles new events, in order, each once. The next events follow when the returned promise resolves. */
export type Listener<E> = (events: readonly E[]) => void | Promise<void>;

/**
 * The new events of a stream. All followers of a subject (a receipt, a merchant) share one feed, so that each event is
 * read once. A follower that is behind reads the missed events itself, with a `Source`.
 */
export interface LiveFeed<E> {
  /** Adds a listener for events from now on. Returns a function that removes it. */
  listen(listener: Listener<E>): () => void;
}

/** A part of a stream. */
export interface Page<E> {
  readonly events: readonly E[];
  /** More events can be read now. */
  readonly more: boolean;
  /** There are events that may not be delivered yet: read again soon. */
  readonly held?: boolean;
  /** The stream has ended. */
  readonly ended?: boolean;
}

/** One follower's position in a stream. It reads the events that it missed, then joins the feed. */
export interface Source<E> {
  readonly tail: LiveFeed<E>;
  /** Reads the next events that this follower missed. */
  read(): Promise<Page<E>>;
  /**
   * Whether it has caught up with the feed. If true, it must listen to the feed at once. If false, there are more
   * events to read.
   */
  joinFeed(): boolean;
  /** Whether it read this event itself before it joined the feed. */
  hasRead(event: E): boolean;
  /** Whether an event of the feed is for this follower. Default: every event is. */
  wants?(event: E): boolean;
  /** The cursor after which a client resumes, in text. Default: the stream has none. */
  cursorOf?(event: E): string;
  /**
   * Its reads return the same objects with the same content for every follower, so that their serialized bytes can be
   * shared.
   */
  readonly shared?: boolean;
  /** Releases all resources. */
  close(): void;
}

/**
 * How a stream with a history is read. Positions are its cursors. A message on the bus channel announces new events.
 */
export interface History<E, P> {
  readonly bus: Bus;
  readonly channel: string;
  /** Reads a page of events after a position, in order. */
  read(after: P): Promise<Page<E>>;
  positionOf(event: E): P;
  /** The event's position as clients name it. */
  cursorOf(event: E): string;
  isAfter(position: P, other: P): boolean;
  /**
   * The position, or the end of the history if the position is beyond it. Without `clamp`, the caller of `follow`
   * guarantees that no position is beyond the end.
   */
  clamp?(position: P): Promise<P>;
}

/** While messages are lost, every feed reads at this interval. */
const POLL_MS = 1_000;
/**
 * With a healthy bus each feed reads once in this many intervals: a process killed between commit and publish leaves
 * events without a message.
 */
const POLL_TURNS = 10;
/** The interval of reads while an older open transaction holds events back. */
const HELD_MS = 100;
/** The delay of a retry after a failed read. */
const RETRY_MS = 500;

interface HistoryFeed<E, P> extends LiveFeed<E> {
  /** Its position; null without listeners. */
  position(): P | null;
  /** Sets the first position, before the first listener. */
  begin(position: P): void;
  readSoon(): void;
  close(): void;
  users: number;
}

/** The open feeds of one bus. */
interface Feeds {
  readonly open: Map<string, HistoryFeed<unknown, unknown>>;
  poll: NodeJS.Timeout | null;
  turn: number;
}

const feedsOf = keptBy('live feeds', (_bus: Bus): Feeds => ({ open: new Map(), poll: null, turn: 0 }));

/**
 * Follows a stream after a position. The feed is opened with its first follower and closed with its last. It subscribes
 * to the channel before the first read, so that no event is missed between reading and listening.
 *
 * @param first the first read, instead of the events after `from`: for example the current state
 */
export function follow<E, P>(history: History<E, P>, from: P, first?: () => Promise<Page<E>>): Source<E> {
  const tail = acquireFeed(history);
  let position = from;
  let begin = first;
  let closed = false;
  /** Whether the position is known to exist: it belongs to an event, or was compared with the end. */
  let exists = history.clamp === undefined;
  /** The feed has read up to its position, so every position up to it exists. */
  const isWithinFeed = () => {
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
      else if (!exists && !isWithinFeed()) position = (await history.clamp?.(position)) ?? position;
      else return page;
      exists = true;
      return page;
    },
    joinFeed() {
      const at = tail.position();
      // A feed that begins beyond the end would never let other followers join.
      if (!exists && !isWithinFeed()) return false;
      if (at === null) tail.begin(position);
      return at === null || !history.isAfter(at, position);
    },
    hasRead: (event) => !history.isAfter(history.positionOf(event), position),
    cursorOf: history.cursorOf,
    close() {
      if (closed) return;
      closed = true;
      releaseFeed(history, tail);
    },
  };
}

function acquireFeed<E, P>(history: History<E, P>): HistoryFeed<E, P> {
  const { bus, channel } = history;
  const feeds = feedsOf(bus);
  let tail = feeds.open.get(channel) as HistoryFeed<E, P> | undefined;
  if (!tail) {
    tail = openFeed(history);
    feeds.open.set(channel, tail as never);
    feeds.poll ??= setInterval(poll, POLL_MS, bus, feeds).unref();
  }
  tail.users += 1;
  return tail;
}

function releaseFeed<E, P>({ bus, channel }: History<E, P>, tail: HistoryFeed<E, P>): void {
  tail.users -= 1;
  if (tail.users > 0) return;
  tail.close();
  const feeds = feedsOf(bus);
  feeds.open.delete(channel);
  if (feeds.open.size > 0 || !feeds.poll) return;
  clearInterval(feeds.poll);
  feeds.poll = null;
}

/** Reads all feeds while messages are lost, else every tenth, in turn. */
function poll(bus: Bus, feeds: Feeds): void {
  const all = !bus.healthy();
  feeds.turn = (feeds.turn + 1) % POLL_TURNS;
  let n = 0;
  for (const tail of feeds.open.values()) if (all || n++ % POLL_TURNS === feeds.turn) tail.readSoon();
}

function openFeed<E, P>({ bus, channel, read, positionOf }: History<E, P>): HistoryFeed<E, P> {
  const listeners = new Set<Listener<E>>();
  let position: P | null = null;
  let hasNews = true;
  let reading = false;
  let again: NodeJS.Timeout | undefined;
  const readSoon = () => {
    hasNews = true;
    if (!reading && listeners.size > 0) void apartFromWork(pump);
  };
  const readIn = (ms: number) => {
    clearTimeout(again);
    again = setTimeout(readSoon, ms);
  };
  const unsubscribe = bus.subscribe(channel, readSoon, readSoon);

  async function pump(): Promise<void> {
    reading = true;
    while (hasNews && position !== null) {
      hasNews = false;
      try {
        const from = position;
        const page = await read(from);
        // All listeners left during the read, and a new one began at another position.
        if (position !== from) {
          hasNews = true;
          continue;
        }
        const last = page.events.at(-1);
        if (last !== undefined) {
          // Advance the position in the same tick as delivery: later followers compare against it.
          position = positionOf(last);
          await deliver(page.events);
        }
        if (page.more) hasNews = true;
        else if (page.held) readIn(HELD_MS);
      } catch {
        readIn(RETRY_MS);
      }
    }
    reading = false;
  }

  async function deliver(events: readonly E[]): Promise<void> {
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
    readSoon,
    listen(listener) {
      listeners.add(listener);
      if (hasNews && !reading) void apartFromWork(pump);
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
