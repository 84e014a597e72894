import { ReadableStream } from 'node:stream/web';
import { BaseError, type EIP1193RequestFn, http, RpcRequestError, type Transport } from 'viem';
import { type RpcOutcome, rpcCalls, workBegins } from '../core/observed.ts';
import { traced, traceHeaders } from '../core/traced.ts';

/** Timeouts of one HTTP request, until the end of the response body. */
export interface RpcTimeouts {
  /** For a request that reads logs. */
  readonly logsMs: number;
  readonly othersMs: number;
}

/** Requests that a caller waits for. */
const CALLER: RpcTimeouts = { logsMs: 2_500, othersMs: 2_500 };
/** Requests of the watcher. They wait longer, so that a slow node delays payments but does not hide them. */
const WATCHER_TIMEOUTS: RpcTimeouts = { logsMs: 30_000, othersMs: 10_000 };

const RETRIES = 1;
const BATCH_SIZE = 25;
/** The most bytes of a body that is read to find an error. */
const REFUSAL_BYTES = 65_536;

/**
 * For requests that a caller waits for. Each attempt takes at most 2.5 s; there are two unless `context.retryCount`
 * differs.
 */
export function openHttp(url: string): Transport {
  const transport = reported(url, http(url, options(CALLER)));
  return (context) => transport({ ...context, retryCount: context.retryCount ?? RETRIES });
}

/** For the watcher. Waits longer and does not retry, because the watcher's loop does. */
export function openPatientHttp(url: string, timeouts: RpcTimeouts = WATCHER_TIMEOUTS): Transport {
  // viem batches the calls of one tick by URL. The fragment separates these from the callers' requests; it is not sent.
  const transport = reported(url, http(`${url}#watcher`, options(timeouts)));
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

const options = (timeouts: RpcTimeouts) => ({
  batch: { batchSize: BATCH_SIZE },
  fetchFn: splitRefusedBatches(fetchInTime(timeouts)),
  timeout: Math.max(timeouts.logsMs, timeouts.othersMs),
});

type Send = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * Limits a request including its body: viem's own timeout ends at the headers. Removes `Retry-After`, because viem
 * would sleep for any time that a node sends.
 */
function fetchInTime({ logsMs, othersMs }: RpcTimeouts): Send {
  return async (input, init) => {
    const timeoutMs = String(init?.body).includes('"eth_getLogs"') ? logsMs : othersMs;
    const { body, status, statusText, headers } = await fetch(input, {
      ...init,
      headers: { ...(init?.headers as Record<string, string>), ...traceHeaders() },
      signal: AbortSignal.timeout(timeoutMs),
    });
    const filtered = new Headers(headers);
    filtered.delete('retry-after');
    return new Response(body, { status, statusText, headers: filtered });
  };
}

interface Call {
  readonly id: number;
}

/**
 * Some nodes reject a whole batch with one error object instead of a list of answers. The batch is then split in
 * halves, down to single calls, and the accepted size is remembered. A rate limit error becomes the answer to each call
 * instead, because more requests would not help.
 */
function splitRefusedBatches(send: Send): Send {
  let callsMax = BATCH_SIZE;

  async function ask(calls: readonly Call[], input: Parameters<Send>[0], init?: RequestInit): Promise<Response> {
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

  function refused(calls: readonly Call[], input: Parameters<Send>[0], init?: RequestInit): Promise<Response> {
    callsMax = Math.max(1, Math.min(callsMax, Math.floor(calls.length / 2)));
    return inHalves(calls, input, init);
  }

  async function inHalves(calls: readonly Call[], input: Parameters<Send>[0], init?: RequestInit): Promise<Response> {
    const middle = Math.ceil(calls.length / 2);
    const parts = [calls.slice(0, middle), calls.slice(middle)];
    const responses = await Promise.all(parts.map((part) => ask(part, input, init)));
    const failed = responses.find(({ ok }) => !ok);
    if (failed) return failed;
    return Response.json((await Promise.all(responses.map((response) => response.json()))).flat());
  }

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
