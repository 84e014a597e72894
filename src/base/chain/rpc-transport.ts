import { ReadableStream } from 'node:stream/web';
import { BaseError, type EIP1193RequestFn, http, RpcRequestError, type Transport } from 'viem';
import { type RpcOutcome, rpcCalls, workBegins } from '../core/observed.ts';
import { traced, traceHeaders } from '../core/traced.ts';
import { DESTINATIONS } from '../outgoing/destinations.ts';
import { openFixedHost, type SendToHost } from '../outgoing/fixed-host.ts';

/** Timeouts of one HTTP request, until the end of the response body. */
export interface RpcTimeouts {
  /** For a request that reads logs. */
  readonly logsMs: number;
  readonly othersMs: number;
}

const { rpc, rpcOfWatcher, logsOfWatcher, rpcOfStrangers } = DESTINATIONS;
/** Requests that a caller waits for. */
const CALLER: RpcTimeouts = { logsMs: rpc.timeoutMs, othersMs: rpc.timeoutMs };
/** Requests of the watcher. They wait longer, so that a slow node delays payments but does not hide them. */
const WATCHER: RpcTimeouts = { logsMs: logsOfWatcher.timeoutMs, othersMs: rpcOfWatcher.timeoutMs };
const STRANGERS: RpcTimeouts = { logsMs: rpcOfStrangers.timeoutMs, othersMs: rpcOfStrangers.timeoutMs };

const BATCH_SIZE = 25;
/** The requests of strangers' code that are sent at a time; each has up to `BATCH_SIZE` calls. */
const STRANGERS_AT_ONCE = 4;
/** The most bytes of a body that is read to find an error. */
const REFUSAL_BYTES = 65_536;

/**
 * For requests that a caller waits for. Each attempt takes at most 2.5 s; there are two unless `context.retryCount`
 * differs.
 */
export function openHttp(url: string): Transport {
  const transport = reported(url, http(url, options(CALLER, fetchInTime(openFixedHost(url), CALLER))));
  return (context) => transport({ ...context, retryCount: context.retryCount ?? rpc.tries - 1 });
}

/** For the watcher. Waits longer and does not retry, because the watcher's loop does. */
export function openPatientHttp(url: string, timeouts: RpcTimeouts = WATCHER): Transport {
  return openApart(url, 'watcher', timeouts, fetchInTime(openFixedHost(url), timeouts));
}

/**
 * For calls that run the code of a contract that a stranger chose. They are not repeated, few are sent at a time, and
 * an answer that is too long counts as a revert.
 */
export function openStrangersHttp(url: string): Transport {
  const send = fetchInTime(openFixedHost(url, STRANGERS_AT_ONCE), STRANGERS);
  return openApart(url, 'strangers', STRANGERS, withShortAnswers(send));
}

/** A transport without retries whose calls share no batch with those of another. */
function openApart(url: string, name: string, timeouts: RpcTimeouts, send: SendToHost): Transport {
  // viem batches the calls of one tick by URL. The fragment is not sent.
  const transport = reported(url, http(`${url}#${name}`, options(timeouts, send)));
  return (context) => transport({ ...context, retryCount: 0 });
}

/** Reports each call to metrics and traces while they are on. */
function reported(url: string, transport: Transport): Transport {
  const endpoint = new URL(url).host;
  return (context) => {
    const opened = transport(context);
    const request = opened.request as (...given: readonly unknown[]) => Promise<unknown>;
    const call = (...given: readonly unknown[]): Promise<unknown> => {
      const { method } = given[0] as { method: string };
      if (!workBegins.hasSubscribers) return counted(method, given);
      const attributes = { 'rpc.system': 'jsonrpc', 'server.address': endpoint };
      return traced({ kind: 'rpc', name: method, attributes }, () => counted(method, given));
    };
    const counted = async (method: string, given: readonly unknown[]): Promise<unknown> => {
      if (!rpcCalls.hasSubscribers) return request(...given);
      const startedMs = performance.now();
      let outcome: RpcOutcome = 'failed';
      try {
        const answer = await request(...given);
        outcome = 'ok';
        return answer;
      } catch (error) {
        if (isAnswer(error)) outcome = 'answer';
        throw error;
      } finally {
        rpcCalls.publish({ endpoint, method, startedMs, outcome });
      }
    };
    return { ...opened, request: call as EIP1193RequestFn };
  };
}

/** Whether an error is what the node has answered, and not a limit of the node. */
function isAnswer(error: unknown): boolean {
  const reported = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null;
  return reported instanceof RpcRequestError && !RATE_LIMIT_CODES.has(reported.code);
}

const options = (timeouts: RpcTimeouts, send: SendToHost) => ({
  batch: { batchSize: BATCH_SIZE },
  fetchFn: splitRefusedBatches(send),
  timeout: Math.max(timeouts.logsMs, timeouts.othersMs),
});

/**
 * Limits a request including its body: viem's own timeout ends at the headers. Removes `Retry-After`, because viem
 * would sleep for any time that a node sends.
 */
function fetchInTime(send: SendToHost, { logsMs, othersMs }: RpcTimeouts): SendToHost {
  return async (input, init) => {
    const timeoutMs = String(init?.body).includes('"eth_getLogs"') ? logsMs : othersMs;
    const { body, status, statusText, headers } = await send(input, {
      ...init,
      headers: { ...(init?.headers as Record<string, string>), ...traceHeaders() },
      signal: AbortSignal.timeout(timeoutMs),
    });
    const filtered = new Headers(headers);
    filtered.delete('retry-after');
    return new Response(body, { status, statusText, headers: filtered });
  };
}

/**
 * Reads at most 64 KiB of an answer. A batch with a longer answer is sent again in halves. A single call with a longer
 * answer counts as reverted: its contract makes the node return what nothing here asks for.
 */
function withShortAnswers(send: SendToHost): SendToHost {
  async function ask(calls: readonly Call[], input: Parameters<SendToHost>[0], init?: RequestInit): Promise<Response> {
    const body = JSON.stringify(calls.length === 1 ? calls[0] : calls);
    const response = await send(input, { ...init, body });
    const text = await readUpTo(response, rpcOfStrangers.answerBytes);
    if (text !== null) return new Response(text, { status: response.status });
    if (calls.length > 1) return askInHalves(calls, (half) => ask(half, input, init));
    return Response.json({ jsonrpc: '2.0', id: calls[0]!.id, error: TOO_LONG });
  }
  return (input, init) => ask([JSON.parse(String(init?.body)) as Call | readonly Call[]].flat(), input, init);
}

/** An error that nodes send for a revert. */
const TOO_LONG = { code: 3, message: 'execution reverted: the answer is longer than 64 KiB' };

/** The text of an answer; null, and nothing more is read, if it is longer than `bytesMax`. */
async function readUpTo(response: Response, bytesMax: number): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > bytesMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Sends a batch as two and joins the answers. A half that fails is the answer. */
async function askInHalves(
  calls: readonly Call[],
  ask: (half: readonly Call[]) => Promise<Response>,
): Promise<Response> {
  const middle = Math.ceil(calls.length / 2);
  const responses = await Promise.all([calls.slice(0, middle), calls.slice(middle)].map(ask));
  const failed = responses.find(({ ok }) => !ok);
  if (failed) return failed;
  return Response.json((await Promise.all(responses.map((response) => response.json()))).flat());
}

interface Call {
  readonly id: number;
}

/**
 * Some nodes reject a whole batch with one error object instead of a list of answers. The batch is then split in
 * halves, down to single calls, and the accepted size is remembered. A rate limit error becomes the answer to each call
 * instead, because more requests would not help.
 */
function splitRefusedBatches(send: SendToHost): SendToHost {
  let callsMax = BATCH_SIZE;

  async function ask(calls: readonly Call[], input: Parameters<SendToHost>[0], init?: RequestInit): Promise<Response> {
    if (calls.length > callsMax) return inHalves(calls, input, init);
    const body = JSON.stringify(calls.length === 1 ? calls[0] : calls);
    const response = await peek(await send(input, { ...init, body }));
    if (!response.startsWithObject) {
      const isRefused = calls.length > 1 && (response.status === 400 || response.status === 413);
      return isRefused ? refused(calls, input, init) : response.whole();
    }
    if (calls.length === 1 && response.ok) return response.inList();
    const error = errorIn(await response.text());
    if (error === null) return new Response(null, { status: response.ok ? 502 : response.status });
    if (calls.length > 1 && !isRateLimit(error, response.status)) return refused(calls, input, init);
    return Response.json(calls.map(({ id }) => ({ jsonrpc: '2.0', id, error })));
  }

  function refused(calls: readonly Call[], input: Parameters<SendToHost>[0], init?: RequestInit): Promise<Response> {
    callsMax = Math.max(1, Math.min(callsMax, Math.floor(calls.length / 2)));
    return inHalves(calls, input, init);
  }

  const inHalves: typeof ask = (calls, input, init) => askInHalves(calls, (half) => ask(half, input, init));

  return (input, init) => ask(JSON.parse(String(init?.body)) as Call[], input, init);
}

/** Whether the error of a whole batch is a rate limit and not a limit on the batch size. */
function isRateLimit({ code, message }: { code: number; message: string }, status: number): boolean {
  return !/batch/i.test(message) && (status === 429 || RATE_LIMIT_CODES.has(code));
}

/** Error codes of rate limits: HTTP's, EIP-1474's and QuickNode's. */
export const RATE_LIMIT_CODES: ReadonlySet<number> = new Set([429, -32005, -32007]);

function errorIn(text: string): { code: number; message: string } | null {
  try {
    const { error } = JSON.parse(text) as { error?: { code?: unknown; message?: unknown } };
    if (typeof error !== 'object' || error === null) return null;
    return { ...error, code: Number(error.code ?? -32603), message: String(error.message ?? '') };
  } catch {
    return null;
  }
}

/** A response whose first chunk has been read. */
interface Peeked {
  readonly ok: boolean;
  readonly status: number;
  readonly startsWithObject: boolean;
  whole(): Response;
  /** The response with its body as the only element of a JSON list. */
  inList(): Response;
  /** The body, or the beginning of a long body. */
  text(): Promise<string>;
}

async function peek(response: Response): Promise<Peeked> {
  const { ok, status, statusText, headers } = response;
  const reader = response.body?.getReader();
  const first = (await reader?.read())?.value ?? new Uint8Array();
  const startsWithObject = new TextDecoder().decode(first.subarray(0, 16)).trimStart().startsWith('{');
  async function* chunks(before: string, after: string) {
    const encoder = new TextEncoder();
    if (before) yield encoder.encode(before);
    yield first;
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) yield next.value;
    if (after) yield encoder.encode(after);
  }
  const filtered = new Headers(headers);
  // The body may be longer now, and it is no longer compressed.
  for (const name of ['content-length', 'content-encoding']) filtered.delete(name);
  const build = (before = '', after = '') =>
    new Response(ReadableStream.from(chunks(before, after)) as BodyInit, { status, statusText, headers: filtered });
  return {
    ok,
    status,
    startsWithObject,
    whole: () => build(),
    inList: () => build('[', ']'),
    async text() {
      let bytes = 0;
      const read: Uint8Array[] = [];
      for await (const chunk of chunks('', '')) {
        read.push(chunk);
        bytes += chunk.length;
        if (bytes > REFUSAL_BYTES) break;
      }
      return Buffer.concat(read).toString();
    },
  };
}
