import { type ApiErrorCode, type Details, type GraphqlError, graphqlRefusal, QuittanceError } from './errors.ts';
import type { Operation } from './operation.ts';

/** How to reach a server, and as who. */
export interface QuittanceOptions {
  /** The address of the server, such as `https://pay.example`. */
  readonly url: string;
  /** An API key. It must not be part of a web page. */
  readonly key?: string;
  /**
   * Further headers of each request and each stream: a page token (`authorization`), or the CSRF token of a session. A
   * function is asked again for each, so that it can renew what has expired.
   */
  readonly headers?: HeaderValues | (() => HeaderValues | Promise<HeaderValues>);
  /** The time limit of one attempt of a request, with its whole answer. Default: 30,000. */
  readonly timeoutMs?: number;
  /** How often a request that can be repeated safely is repeated at most. Default: 3. */
  readonly retries?: number;
  /** Another `fetch`. */
  readonly fetch?: typeof fetch;
  /** Another `WebSocket`, where there is no global one (Node.js before 22). */
  readonly webSocketImpl?: unknown;
}

type HeaderValues = Readonly<Record<string, string>>;

/** Options of one call. */
export interface CallOptions {
  /** Ends the call. It then throws the reason of the signal. */
  readonly signal?: AbortSignal;
}

/** A request of the API. */
interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: HeaderValues;
  readonly body?: unknown;
  /** Whether the second of two equal requests changes nothing. */
  readonly safe: boolean;
  readonly signal?: AbortSignal;
}

/** Sends requests to one server. */
export interface Requester {
  readonly options: QuittanceOptions;
  /** The credentials of a request or of a stream. */
  proof(): Promise<Record<string, string>>;
  send<Answer>(request: ApiRequest): Promise<Answer>;
  ask<Data, Variables>(query: Operation<Data, Variables>, variables: Variables, call?: CallOptions): Promise<Data>;
}

const TIMEOUT_MS = 30_000;
const RETRIES = 3;
/** A server that asks for a longer wait than this is answered with an error at once. */
const MAX_WAIT_MS = 60_000;
const FIRST_WAIT_MS = 250;
const MAX_BACKOFF_MS = 10_000;
/** Statuses whose cause may have passed a moment later. */
const PASSING = new Set([500, 502, 503, 504]);

/** Half to all of `FIRST_WAIT_MS` times two to the power of the attempts, so that clients do not return all at once. */
export const backoffMs = (attempt: number): number =>
  Math.min(FIRST_WAIT_MS * 2 ** attempt, MAX_BACKOFF_MS) * (0.5 + Math.random() / 2);

/** Waits. Throws the reason of the signal as soon as it is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** The address of a path of the server. */
export const addressOf = ({ url }: QuittanceOptions, path: string): string => url.replace(/\/+$/, '') + path;

/** Creates what sends the requests of one client, with its key, its headers and its number of retries. */
export function createRequester(options: QuittanceOptions): Requester {
  const { key, headers, retries = RETRIES } = options;

  async function proof(): Promise<Record<string, string>> {
    const further = typeof headers === 'function' ? await headers() : headers;
    return { ...(key === undefined ? {} : { 'Ocp-Apim-Subscription-Key': key }), ...further };
  }

  async function send<Answer>(request: ApiRequest): Promise<Answer> {
    for (let attempt = 0; ; attempt++) {
      const { answer, error, retryAfterMs } = await attemptOnce<Answer>(options, request, await proof());
      if (!error) return answer as Answer;
      // The request before may have deleted it, and its answer was lost.
      if (attempt > 0 && request.method === 'DELETE' && error.code === 'not_found') return { ok: true } as Answer;
      const waitMs = retryAfterMs ?? backoffMs(attempt);
      if (attempt >= retries || waitMs > MAX_WAIT_MS || !canRepeat(request, error)) throw error;
      await pause(waitMs, request.signal);
    }
  }

  return {
    options,
    proof,
    send,
    async ask(query, variables, { signal } = {}) {
      const safe = !query.trimStart().startsWith('mutation');
      const body = { query, variables };
      // The status is in the errors.
      const request = { method: 'POST', path: '/api/graphql', body, safe, signal } as const;
      const { data } = await send<{ data: unknown }>(request);
      return data as never;
    },
  };
}

/** A refused request was not executed if it was one too many. Any other may have been. */
const canRepeat = ({ safe }: ApiRequest, { code, status }: QuittanceError): boolean =>
  status === 429 || (safe && (code === 'unreachable' || code === 'timeout' || PASSING.has(status ?? 0)));

interface Outcome<Answer> {
  readonly answer?: Answer;
  readonly error?: QuittanceError;
  readonly retryAfterMs?: number;
}

async function attemptOnce<Answer>(
  options: QuittanceOptions,
  { method, path, query, headers, body, signal }: ApiRequest,
  proof: HeaderValues,
): Promise<Outcome<Answer>> {
  const limit = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  const send = options.fetch ?? fetch;
  let response: Response;
  let text: string;
  try {
    response = await send(addressOf(options, path) + searchOf(query), {
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...proof,
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
    text = await response.text();
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    return { error: noAnswer(limit.aborted, cause) };
  }
  const parsed = parse(text);
  const error = errorOf(response, parsed);
  return error ? { error, retryAfterMs: retryAfterMs(response) } : { answer: parsed as Answer };
}

const noAnswer = (isLate: boolean, cause: unknown): QuittanceError =>
  isLate
    ? new QuittanceError({ code: 'timeout', message: 'The server did not answer in time', cause })
    : new QuittanceError({ code: 'unreachable', message: 'The server cannot be reached', cause });

type Body = Details & { error?: ApiErrorCode; message?: string; errors?: GraphqlError[] };

function errorOf(response: Response, body: Body | null): QuittanceError | null {
  const { status } = response;
  const correlationId = response.headers.get('x-correlation-id');
  if (body?.errors?.[0]) return graphqlRefusal(body.errors[0]);
  if (response.ok && body) return null;
  const { error: code, message, ...details } = body ?? {};
  if (code && message) return new QuittanceError({ code, message, status, correlationId, details });
  const what = `Not an answer of this API: HTTP ${status}`;
  return new QuittanceError({ code: 'invalid_answer', message: what, status, correlationId });
}

function parse(text: string): Body | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** `Retry-After` is a number of seconds, or a date. */
function retryAfterMs({ headers }: Response): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

function searchOf(query: ApiRequest['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}
