import type { Duplex } from 'node:stream';
import { GraphQLError } from 'graphql';
import {
  GRAPHQL_TRANSPORT_WS_PROTOCOL,
  type Message,
  MessageType,
  parseMessage,
  type SubscribeMessage,
} from 'graphql-ws';
import type { RawData, WebSocket } from 'ws';
import type { Caller } from '../core/caller.ts';
import { Refusal, refuse } from '../core/errors.ts';
import { identifySocket } from '../gateway/principal.ts';
import type { DoorRequest } from '../gateway/request.ts';
import { formatError } from '../graphql/errors.ts';
import type { Sink, Stream } from '../graphql/subscribe.ts';
import { nextFrames, nextPrefix } from './frames.ts';
import type { LiveDoor } from './live-door.ts';
import { CLOSES, type Close, LIVE_LIMITS } from './live-limits.ts';
import { createQueue } from './queue.ts';

/** An open websocket, as its server sees it. */
export interface Socket {
  close(why: Close): void;
  /** Asks whether the other end is still there; one that has not answered since the last time is cut. */
  ping(): void;
}

/** What opened a socket. */
export interface Opening {
  readonly websocket: WebSocket;
  /** The connection under it: frames that are made once for many are written to it directly. */
  readonly connection: Duplex;
  readonly upgrade: DoorRequest;
  readonly ip: string;
  /** Called once it has proven who it is, or is gone. */
  settled(): void;
}

/** One subscription of a socket; `stream` is null while it is being opened. */
interface Slot {
  stream: Stream | null;
}

/**
 * Speaks the protocol `graphql-transport-ws` with one client. Results are sent as frames whose bytes all subscribers share, so the socket must not compress.
 */
export function serveSocket(door: LiveDoor, { websocket, connection, upgrade, ip, settled }: Opening): Socket {
  const { deps, executor } = door;
  const { host } = upgrade;
  const slots = new Map<string, Slot>();
  const queue = createQueue(connection, () => close(CLOSES.slow));
  let caller: Caller | null = null;
  let proof: DoorRequest | null = upgrade;
  let leave: (() => void) | null = null;
  let open = true;
  let answering = true;

  const initTimer = setTimeout(() => close(CLOSES.initTimeout), LIVE_LIMITS.initTimeoutMs);

  function end(): void {
    if (!open) return;
    open = false;
    clearTimeout(initTimer);
    for (const { stream } of slots.values()) stream?.stop();
    slots.clear();
    leave?.();
    settled();
  }
  function close({ code, reason }: Close): void {
    if (!open) return;
    end();
    websocket.close(code, reason);
  }
  function send(message: Message): void {
    if (open && queue.admits()) websocket.send(JSON.stringify(message));
  }

  async function init(payload: unknown): Promise<void> {
    if (!proof) return close(CLOSES.secondInit);
    const asked = proof;
    proof = null;
    clearTimeout(initTimer);
    const found = await identifySocket(deps, asked, payload).catch(refusalOf);
    if (!open) return;
    if (found instanceof Refusal && found.code === 'datastore_unavailable') return close(CLOSES.fault);
    if (found instanceof Refusal || found.kind === 'anonymous') return close(CLOSES.forbidden);
    leave = door.residents.enter({ caller: found, ip }, () => close(CLOSES.forbidden));
    if (!leave) return close(CLOSES.crowded);
    caller = found;
    settled();
    send({ type: MessageType.ConnectionAck });
  }

  async function subscribe({ id, payload }: SubscribeMessage): Promise<void> {
    if (!caller) return close(CLOSES.unauthorized);
    if (id.length > LIVE_LIMITS.idCharacters) return close(CLOSES.badRequest);
    if (slots.has(id)) return close(CLOSES.duplicate);
    const fail = (errors: readonly GraphQLError[]) => {
      if (slots.get(id) === slot) slots.delete(id);
      else if (slots.size < LIVE_LIMITS.streamsPerSocket) return;
      send({ id, type: MessageType.Error, payload: errors.map((error) => formatError(error, deps.log).toJSON()) });
    };
    const slot: Slot = { stream: null };
    if (slots.size >= LIVE_LIMITS.streamsPerSocket) return fail([wrapped(refuse('too_many_streams'))]);
    slots.set(id, slot);
    try {
      const prepared = executor.prepare(payload.query, payload.operationName ?? null);
      if ('errors' in prepared) return fail(prepared.errors);
      const variables = payload.variables ?? {};
      await door.admit({ caller, host, ip }, prepared, variables);
      if (slots.get(id) !== slot) return;
      if (prepared.operation.operation !== 'subscription') {
        const result = await prepared.run(door.contextOf(caller, host), variables);
        return finish(id, slot, result);
      }
      const opened = await door.openStream({ prepared, variables, caller, host }, sinkOf(id, slot));
      if ('refused' in opened) return finish(id, slot, opened.refused);
      if (slots.get(id) === slot) slot.stream = opened;
      else opened.stop();
    } catch (error) {
      fail([wrapped(error)]);
    }
  }

  /** The one result of what is no stream. */
  function finish(
    id: string,
    slot: Slot,
    { errors, data }: { errors?: readonly GraphQLError[]; data?: unknown },
  ): void {
    if (slots.get(id) !== slot) return;
    slots.delete(id);
    const told = errors?.map((error) => formatError(error, deps.log).toJSON());
    const payload = { ...(told ? { errors: told } : {}), data } as Record<string, unknown>;
    send({ id, type: MessageType.Next, payload } as Message);
    send({ id, type: MessageType.Complete });
  }

  function sinkOf(id: string, slot: Slot): Sink {
    const prefix = nextPrefix(id);
    return {
      send({ results }) {
        if (open && queue.admits()) connection.write(nextFrames(prefix, results, connection.writableLength === 0));
      },
      drained: queue.drained,
      end(errors) {
        // It may end before it is said to be open.
        if (slots.get(id) !== slot) return;
        slots.delete(id);
        if (errors) send({ id, type: MessageType.Error, payload: errors.map((error) => error.toJSON()) });
        else send({ id, type: MessageType.Complete });
      },
    };
  }

  function complete(id: string): void {
    const slot = slots.get(id);
    slots.delete(id);
    slot?.stream?.stop();
  }

  function receive(data: RawData): void {
    answering = true;
    const message = open ? read(data) : null;
    if (message) handle(message);
  }
  function read(data: RawData): Message | null {
    try {
      return parseMessage(String(data));
    } catch {
      close(CLOSES.badRequest);
      return null;
    }
  }
  function handle(message: Message): void {
    switch (message.type) {
      case MessageType.ConnectionInit:
        init(message.payload).catch(fault);
        break;
      case MessageType.Subscribe:
        subscribe(message).catch(fault);
        break;
      case MessageType.Complete:
        complete(message.id);
        break;
      case MessageType.Ping:
        send({ type: MessageType.Pong, ...(message.payload ? { payload: message.payload } : {}) });
        break;
      case MessageType.Pong:
        break;
      default:
        close(CLOSES.badRequest);
    }
  }
  function fault(error: Error): void {
    deps.log.error({ error: error.message, stack: error.stack }, 'a websocket failed');
    close(CLOSES.fault);
  }

  websocket.on('message', receive);
  websocket.on('pong', () => {
    answering = true;
  });
  // What the client got wrong (an oversized message, a broken frame) ends its socket, with a code, and concerns nobody else.
  websocket.on('error', (error: Error) => deps.log.debug({ error: error.message }, 'websocket error'));
  websocket.on('close', end);
  if (websocket.protocol !== GRAPHQL_TRANSPORT_WS_PROTOCOL) close(CLOSES.protocol);
  return {
    close,
    ping() {
      if (!answering) return websocket.terminate();
      answering = false;
      websocket.ping();
    },
  };
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}

const wrapped = (error: unknown): GraphQLError => new GraphQLError('', { originalError: error as Error });
