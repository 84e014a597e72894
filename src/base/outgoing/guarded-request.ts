import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { refuse } from '../core/errors.ts';
import { traceHeaders } from '../core/traced.ts';
import { isPublicAddress, isPublicHost } from '../core/url.ts';
import { DESTINATIONS } from './destinations.ts';

/** Which addresses a request may reach. */
export interface TargetPolicy {
  /** Also plain http, local names and private addresses, for development. */
  readonly allowInsecure: boolean;
}

/** Resolves a name to its addresses, like `dns.lookup` with `all`. */
export type Resolve = (hostname: string) => Promise<readonly dns.LookupAddress[]>;

/** Sends requests to URLs that callers chose, and refuses private and local targets. */
export interface GuardedClient {
  /**
   * Posts a body and reads the answer, within `timeoutMs` in total and up to `ANSWER_LIMIT` bytes. Redirects are not
   * followed. Never rejects: `error` contains the failure, and `statusCode` the status if there was one.
   */
  post(url: string, body: Buffer, headers: Readonly<Record<string, string>>, timeoutMs: number): Promise<Answer>;
  close(): void;
}

interface Answer {
  /** Null without an answer. */
  readonly statusCode: number | null;
  /** The answer's first KiB, as text. */
  readonly head: string | null;
  /** Why there is no complete answer; null for a complete answer and for one cut at `ANSWER_LIMIT`. */
  readonly error: string | null;
}

/** The most bytes that are read of an answer. */
const ANSWER_LIMIT = DESTINATIONS.webhook.answerBytes;
const HEAD_BYTES = 1_024;

/**
 * Parses a URL that may be called: https, without a password, at a public host; with `allowInsecure` also http and any
 * host. Throws `invalid_input`, naming `field`, for any other URL.
 */
export function checkTarget(url: string, { allowInsecure }: TargetPolicy, field = 'webhookUrl'): URL {
  const no = (sentence: string) => refuse('invalid_input', `${field} ${sentence}`, { field });
  const parsed = URL.parse(url);
  if (!parsed || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')) throw no('must be an https URL');
  if (parsed.username || parsed.password) throw no('must not contain a user name or password');
  if (allowInsecure) return parsed;
  if (parsed.protocol !== 'https:') throw no('must be an https URL');
  if (!isPublicHost(parsed.hostname)) throw no('must not lead to a private or local address');
  return parsed;
}

const resolver = new dns.promises.Resolver({ timeout: 1_500, tries: 2 });

/**
 * Resolves a name, if possible without `getaddrinfo`: it has four threads for the whole process, and a few names with
 * silent servers would block all other lookups. `getaddrinfo` resolves local names and names from the hosts file.
 */
async function resolveName(hostname: string): Promise<readonly dns.LookupAddress[]> {
  if (isPublicHost(hostname)) {
    const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = found.flatMap((answer, i) =>
      answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: i === 0 ? 4 : 6 })) : [],
    );
    if (addresses.length > 0) return addresses;
    if (found.some((answer) => answer.status === 'rejected' && answer.reason?.code === 'ETIMEOUT')) {
      throw Object.assign(new Error('name lookup timed out'), { code: 'ETIMEOUT' });
    }
  }
  return dns.promises.lookup(hostname, { all: true });
}

/**
 * A `lookup` for sockets that returns only public addresses. The socket connects to the checked address, so the name
 * cannot resolve to another one in between.
 */
function guardedLookup({ allowInsecure }: TargetPolicy, resolve: Resolve = resolveName): LookupFunction {
  const pending = new Map<string, Promise<readonly dns.LookupAddress[]>>();
  const once = (hostname: string) => {
    const known = pending.get(hostname);
    if (known) return known;
    const lookup = resolve(hostname).finally(() => pending.delete(hostname));
    pending.set(hostname, lookup);
    return lookup;
  };
  return (hostname, options, callback) => {
    once(hostname).then(
      (found) => {
        const wantedFamily = options.family === 4 || options.family === 6 ? options.family : 0;
        const usable = found.filter(
          ({ address, family }) =>
            (!wantedFamily || family === wantedFamily) && (allowInsecure || isPublicAddress(address)),
        );
        if (usable.length === 0) callback(new Error('refused: has no public address'), '', 4);
        else if (options.all) callback(null, [...usable]);
        else callback(null, usable[0]!.address, usable[0]!.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 4),
    );
  };
}

export interface GuardedClientOptions extends TargetPolicy {
  /** Replaces the name resolution. */
  readonly resolve?: Resolve;
}

/** How long a connection may take to be opened. */
const CONNECT_TIMEOUT_MS = 5_000;

/** Codes of a connection that the server has closed; an answer that is no HTTP has another. */
const CLOSED: readonly unknown[] = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];

/** Creates a client that keeps connections alive for later requests to the same host. */
export function createGuardedClient({ allowInsecure, resolve }: GuardedClientOptions): GuardedClient {
  const open = buildConnector({ lookup: guardedLookup({ allowInsecure }, resolve), timeout: CONNECT_TIMEOUT_MS });
  /** Failures of connections over which an answer had come before. */
  const afterAnswers = new WeakSet<Error>();
  const connect: typeof open = (options, callback) =>
    open(options, (...opened) => {
      const [, socket] = opened;
      socket?.on('error', (error: NodeJS.ErrnoException) => {
        if (socket.bytesRead > 0 && CLOSED.includes(error.code)) afterAnswers.add(error);
      });
      callback(...opened);
    });
  // Each exchange has a timer of its own.
  const agent = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0 });

  return {
    async post(url, body, headers, timeoutMs) {
      let target: URL;
      try {
        target = checkTarget(url, { allowInsecure }, 'refused: the address');
      } catch (error) {
        return { statusCode: null, head: null, error: (error as Error).message };
      }
      const until = performance.now() + timeoutMs;
      const request: Dispatcher.DispatchOptions = {
        method: 'POST',
        origin: target.origin,
        path: target.pathname + target.search,
        headers: { ...traceHeaders(), ...headers },
        body,
      };
      const send = () => exchange(agent, request, until - performance.now());
      const first = await send();
      // The server closed an idle connection before it answered: retry on a new connection.
      const isStale = first.statusCode === null && first.cause !== null && afterAnswers.has(first.cause);
      const { cause, ...answer } = isStale ? await send() : first;
      return answer;
    },
    close: () => void agent.destroy(),
  };
}

interface Exchange extends Answer {
  /** The failure of the connection. */
  readonly cause: Error | null;
}

/** Sends one request and reads its answer. */
function exchange(agent: Agent, options: Dispatcher.DispatchOptions, timeoutMs: number): Promise<Exchange> {
  return new Promise((settle) => {
    let statusCode: number | null = null;
    const chunks: Buffer[] = [];
    let length = 0;
    let controller: Dispatcher.DispatchController | undefined;
    let done = false;

    const finish = (error: string | null, cause: Error | null = null) => {
      if (done) return;
      done = true;
      clearTimeout(timer);
      const head = statusCode === null ? null : textOf(Buffer.concat(chunks).subarray(0, HEAD_BYTES));
      settle({ statusCode, head, error, cause });
    };
    const abandon = () => controller?.abort(new Error('abandoned'));
    const timer = setTimeout(
      () => {
        finish('timeout');
        abandon();
      },
      Math.max(timeoutMs, 1),
    );
    agent.dispatch(options, {
      onRequestStart(started) {
        controller = started;
        if (done) abandon();
      },
      onResponseStart(_controller, status) {
        // Informational answers precede the answer.
        if (status >= 200) statusCode = status;
      },
      onResponseData(_controller, chunk) {
        if (length < HEAD_BYTES) chunks.push(chunk);
        length += chunk.length;
        if (length < ANSWER_LIMIT) return;
        finish(null);
        abandon();
      },
      onResponseEnd: () => finish(null),
      onResponseError: (_controller, error) => finish(reasonOf(error), error),
    });
  });
}

/** Converts bytes to text that PostgreSQL can store: without NUL and without a truncated last character. */
function textOf(bytes: Buffer): string {
  return bytes
    .toString('utf8')
    .replaceAll('\0', '')
    .replace(/\uFFFD+$/, '');
}

function reasonOf(error: NodeJS.ErrnoException): string {
  const inner = error instanceof AggregateError ? (error.errors[0] as NodeJS.ErrnoException) : error;
  return (inner.message || inner.code || 'network error').slice(0, 500);
}
