import type { Duplex } from 'node:stream';
import { type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql';
import { type Context as Connection, makeServer, type Server, type SubscribePayload } from 'graphql-ws';
import type { RawData, WebSocket } from 'ws';
import type { Caller } from '../../../base/core/caller.ts';
import { malformed, Refusal, refuse } from '../../../base/core/errors.ts';
import { noteRounded } from '../../../base/core/json.ts';
import { formatError } from '../../../base/graphql/errors.ts';
import type { Prepared } from '../../../base/graphql/prepared.ts';
import type { Sink } from '../../../base/graphql/subscribe.ts';
import { identifySocket } from '../../../domain/access/gateway/authenticate.ts';
import { type GatewayRequest, headerOf } from '../../../domain/access/gateway/request.ts';
import { nameIn, textOf } from './graphql-params.ts';
import { CLOSES, type Close, LIVE_LIMITS } from './live-connections.ts';
import type { LiveGuard } from './live-guard.ts';
import { createQueue, type Queue } from './queue.ts';
import { admitTraced, beginOperation, executeTraced, type TracedOperation } from './traces.ts';

/** An open websocket, as its server sees it. */
export interface Socket {
  close(why: Close): void;
  /** Sends a ping. A client that has not answered since the last one is disconnected. */
  ping(): void;
}

/** What a socket was opened with. */
interface Opening {
  readonly websocket: WebSocket;
  /** The underlying connection. Frames shared by many subscribers are written to it directly. */
  readonly connection: Duplex;
  readonly upgrade: GatewayRequest;
  readonly ip: string;
  /** Called once the client is authenticated or gone. */
  settled(): void;
}

/** The state of a connection, stored by the protocol library. */
interface Client extends Opening {
  readonly queue: Queue;
  caller: Caller | null;
  leave: (() => void) | null;
  isOpen(): boolean;
  close(why: Close): void;
}

/** One operation, prepared by `onSubscribe` for its execution. */
interface Operation {
  readonly id: string;
  readonly client: Client;
  readonly caller: Caller;
  readonly prepared: Prepared;
  readonly traced: TracedOperation;
}

type Params = Record<string, unknown> | undefined;

/**
 * Serves the protocol `graphql-transport-ws` with the library graphql-ws. Results of subscriptions bypass the library:
 * they are frames whose bytes all subscribers share, written to the connection directly. Sockets must therefore not
 * compress.
 */
export function createProtocol(guard: LiveGuard): (opening: Opening) => Socket {
  const { log, settings } = guard.deps;
  /** The operations by the payload of their message. */
  const begun = new WeakMap<SubscribePayload, TracedOperation>();
  function format(errors: readonly GraphQLError[], payload: SubscribePayload) {
    const { correlationId } = begun.get(payload) as TracedOperation;
    const scope = { log, settings, correlationId };
    return errors.map((error) => formatError(error, scope).toJSON());
  }

  const protocol: Server<Client> = makeServer<Params, Client>({
    jsonMessageReviver: noteRounded,
    connectionInitWaitTimeout: LIVE_LIMITS.initTimeoutMs,
    onConnect: (connection) => connect(guard, connection),
    onSubscribe(connection, id, payload) {
      const traced = beginOperation(payload, connection.connectionParams);
      begun.set(payload, traced);
      return admitTraced(traced, () => prepare(guard, connection, id, payload, traced));
    },
    execute: (args) => execute(guard, args),
    subscribe: (args) => {
      const { prepared, traced } = args.contextValue as Operation;
      return executeTraced(traced, prepared, () => subscribe(guard, args));
    },
    onNext: (_connection, _id, payload, _args, { errors, data }: ExecutionResult) => ({
      ...(errors ? { errors: format(errors, payload) } : {}),
      data: data as Record<string, unknown>,
    }),
    onError: (_connection, _id, payload, errors) => {
      const [{ originalError } = {}] = errors;
      return originalError instanceof StreamFailure
        ? originalError.errors.map((error) => error.toJSON())
        : format(errors, payload);
    },
  });
  return (opening) => serveSocket(guard, protocol, opening);
}

/** Authenticates the client. Returns `false` if it was closed. */
async function connect(
  guard: LiveGuard,
  { extra: client, connectionParams }: Connection<Params, Client>,
): Promise<boolean> {
  const found = await identifySocket(guard.deps, client.upgrade, connectionParams).catch(refusalOf);
  if (!client.isOpen()) return false;
  const why = admission(guard, client, found);
  if (why) client.close(why);
  else client.settled();
  return why === null;
}

/** Registers an authenticated client, or returns why it must be closed. */
function admission({ connections }: LiveGuard, client: Client, found: Caller | Refusal): Close | null {
  if (found instanceof Refusal) return found.code === 'datastore_unavailable' ? CLOSES.fault : CLOSES.forbidden;
  if (found.kind === 'anonymous') return CLOSES.forbidden;
  const cut = () => client.close(CLOSES.forbidden);
  client.leave = connections.enter('websocket', { caller: found, ip: client.ip }, cut);
  if (!client.leave) return CLOSES.crowded;
  client.caller = found;
  return null;
}

/** Parses, validates and admits an operation. */
async function prepare(
  guard: LiveGuard,
  { extra: client, subscriptions }: Connection<Params, Client>,
  id: string,
  payload: SubscribePayload,
  traced: TracedOperation,
): Promise<ExecutionArgs | readonly GraphQLError[]> {
  const { executor, documents } = guard;
  const { operationName, variables } = payload;
  const { caller, ip } = client;
  const { host } = client.upgrade;
  if (id.length > LIVE_LIMITS.idCharacters) client.close(CLOSES.badRequest);
  if (!caller || !client.isOpen()) return [new GraphQLError('The connection is closed')];
  if (Object.keys(subscriptions).length > LIVE_LIMITS.streamsPerSocket) return [wrapped(refuse('too_many_streams'))];
  try {
    guard.refusals.check({ caller, ip });
    const found = documents.find(caller, documentOf(payload));
    const prepared = 'missing' in found ? { errors: [found.missing] } : executor.prepare(found.text, operationName);
    if ('errors' in prepared) {
      await guard.refusals.count({ caller, ip });
      return prepared.errors;
    }
    await guard.admit({ caller, host, ip }, prepared, variables ?? {});
    if ('register' in found) found.register?.();
    const contextValue: Operation = { id, client, caller, prepared, traced };
    return {
      schema: executor.schema,
      document: prepared.document,
      operationName,
      variableValues: variables ?? {},
      contextValue,
    };
  } catch (error) {
    return [wrapped(error)];
  }
}

/** Executes a query or a mutation. */
function execute(guard: LiveGuard, { contextValue, variableValues }: ExecutionArgs) {
  const { client, caller, prepared, traced } = contextValue as Operation;
  const { host } = client.upgrade;
  const sender = { address: client.ip, userAgent: headerOf(client.upgrade, 'user-agent') ?? null };
  const context = guard.contextOf(caller, host, sender, traced.correlationId);
  return executeTraced(traced, prepared, () => prepared.run(context, variableValues as Record<string, unknown>));
}

/** Opens a subscription. The generator that the library reads yields nothing: it only ends, fails or is closed. */
async function subscribe(guard: LiveGuard, { contextValue, variableValues }: ExecutionArgs) {
  const { id, client, caller, prepared, traced } = contextValue as Operation;
  const { correlationId } = traced;
  const { connection, queue } = client;
  const prefix = nextPrefix(id);
  const stream = createSilentStream();
  const sink: Sink = {
    send({ results }) {
      if (client.isOpen() && queue.admits())
        connection.write(nextFrames(prefix, results, connection.writableLength === 0));
    },
    drained: queue.drained,
    end: stream.end,
  };
  const { host } = client.upgrade;
  const opened = await guard
    .openStream({ prepared, variables: variableValues as Record<string, unknown>, caller, host, correlationId }, sink)
    .catch((error: Error) => ({ refused: { errors: [wrapped(error)] } }));
  if ('refused' in opened) return opened.refused;
  stream.onClosed(opened.stop);
  return stream.generator;
}

/** Connects one websocket to the protocol. */
function serveSocket({ deps }: LiveGuard, protocol: Server<Client>, opening: Opening): Socket {
  const { websocket, connection } = opening;
  let open = true;
  let answering = true;
  let forget: ReturnType<Server<Client>['opened']> | null = null;

  /** Stops all operations of the client, also during the closing handshake. */
  function end(): void {
    if (!open) return;
    open = false;
    client.leave?.();
    client.settled();
    forget?.().catch(fault);
  }
  function close({ code, reason }: Close): void {
    if (!open) return;
    end();
    websocket.close(code, reason);
  }
  const client: Client = {
    ...opening,
    queue: createQueue(connection, () => close(CLOSES.slow)),
    caller: null,
    leave: null,
    isOpen: () => open,
    close,
  };

  forget = protocol.opened(
    {
      protocol: websocket.protocol,
      send(data) {
        if (open && client.queue.admits()) websocket.send(data);
      },
      close: (code = CLOSES.fault.code) => close(closeOf(code)),
      onMessage(receive) {
        websocket.on('message', (data: RawData) => {
          answering = true;
          if (open) receive(String(data)).catch(fault);
        });
      },
    },
    client,
  );
  function fault(error: Error): void {
    const unexpected = UNEXPECTED.test(error.message);
    if (!unexpected) deps.log.error({ error: error.message, stack: error.stack }, 'websocket failed');
    close(unexpected ? CLOSES.badRequest : CLOSES.fault);
  }

  websocket.on('pong', () => {
    answering = true;
  });
  // A message that is too large, or a broken frame, closes the socket with a code.
  websocket.on('error', (error: Error) => deps.log.debug({ error: error.message }, 'websocket error'));
  websocket.on('close', end);
  return {
    close,
    ping() {
      if (!answering) return websocket.terminate();
      answering = false;
      websocket.ping();
    },
  };
}

/** The library throws for a message that only a server may send. */
const UNEXPECTED = /^Unexpected message of type/;

const closeOf = (code: number): Close => Object.values(CLOSES).find((close) => close.code === code) ?? CLOSES.fault;

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}

/** The document that a message sends or names. The protocol requires a query: an empty one beside a name is none. */
function documentOf(payload: SubscribePayload & { readonly documentId?: unknown }) {
  const named = nameIn(payload.documentId, payload.extensions);
  if (named === undefined) throw malformed('Name the document by documentId, or by extensions.persistedQuery');
  return { query: textOf(payload.query, named), named };
}

const wrapped = (error: unknown): GraphQLError => new GraphQLError('', { originalError: error as Error });

/** Ends a stream with errors that are already formatted. */
class StreamFailure extends Error {
  readonly errors: readonly GraphQLError[];
  constructor(errors: readonly GraphQLError[]) {
    super('The stream failed');
    this.errors = errors;
  }
}

/** A stream whose results do not pass through its generator. */
interface SilentStream {
  /** Yields nothing. Returns when the stream ends, and throws `StreamFailure` when it fails. */
  readonly generator: AsyncGenerator<never, void, void>;
  /** Ends the stream, with errors if it failed. */
  end(errors?: readonly GraphQLError[]): void;
  /** Calls `stop` once the reader closes the stream, or immediately if it already has. */
  onClosed(stop: () => void): void;
}

/** Creates a stream whose generator reports only the end. Its results reach subscribers directly. */
function createSilentStream(): SilentStream {
  const { promise, resolve, reject } = Promise.withResolvers<IteratorReturnResult<void>>();
  const done: IteratorReturnResult<void> = { done: true, value: undefined };
  // The reader may never read the next value.
  promise.catch(() => {});
  let closed = false;
  let stop: (() => void) | null = null;
  const close = async () => {
    closed = true;
    stop?.();
    // The pending `next` stays pending: the library would report its end under an id that may be in use again.
    return done;
  };
  const generator: AsyncGenerator<never, void, void> = {
    [Symbol.asyncIterator]: () => generator,
    [Symbol.asyncDispose]: async () => void (await close()),
    next: () => promise,
    return: close,
    throw: close,
  };
  return {
    generator,
    end: (errors) => (errors ? reject(new StreamFailure(errors)) : resolve(done)),
    onClosed(callback) {
      stop = callback;
      if (closed) callback();
    },
  };
}

/** The first byte of an unmasked text frame that holds a whole message. */
const TEXT_FRAME = 0x81;
const END = 0x7d; // }

/** The first bytes of a subscription's `next` messages, made once per subscription. */
const nextPrefix = (id: string): Buffer => Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);

/**
 * The `next` messages of a subscription as websocket frames, in one buffer. Each copies the result's shared bytes
 * between the subscription's own prefix and a closing brace.
 *
 * @param pooled whether the buffer may come from Node's pool; a queued buffer would keep the whole pool in memory
 */
function nextFrames(prefix: Buffer, results: readonly Buffer[], pooled: boolean): Buffer {
  let size = 0;
  for (const result of results) {
    const length = prefix.length + result.length + 1;
    size += headerBytes(length) + length;
  }
  const bytes = pooled ? Buffer.allocUnsafe(size) : Buffer.allocUnsafeSlow(size);
  let at = 0;
  for (const result of results) {
    at = writeHeader(bytes, at, prefix.length + result.length + 1);
    at += prefix.copy(bytes, at);
    at += result.copy(bytes, at);
    bytes[at++] = END;
  }
  return bytes;
}

function headerBytes(length: number): number {
  return length < 126 ? 2 : length < 65_536 ? 4 : 10;
}

function writeHeader(bytes: Buffer, at: number, length: number): number {
  bytes[at] = TEXT_FRAME;
  if (length < 126) {
    bytes[at + 1] = length;
    return at + 2;
  }
  if (length < 65_536) {
    bytes[at + 1] = 126;
    return bytes.writeUInt16BE(length, at + 2);
  }
  bytes[at + 1] = 127;
  return bytes.writeBigUInt64BE(BigInt(length), at + 2);
}
