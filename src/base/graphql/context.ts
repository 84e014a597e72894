import type DataLoader from 'dataloader';
import type { Caller } from '../core/caller.ts';
import { keptBy } from '../core/kept.ts';
import { type Origin, originOf } from '../core/origin.ts';
import type { Deps } from '../platform/deps.ts';

/** What a resolver receives beside its arguments: the caller, the dependencies, and the loaders of this request. */
export interface Context extends Deps {
  readonly caller: Caller;
  readonly request: RequestFacts;
}

/** What a resolver may read of the request, and may add to the response. */
export interface RequestFacts {
  readonly host: string;
  /** The REST route whose stored operation runs; null for an operation of the caller's own. */
  readonly route: string | null;
  readonly correlationId: string;
  /** The client's address and what it calls itself, for sessions and the audit log; null where no request is known. */
  client(): { readonly address: string | null; readonly userAgent: string | null };
  /** The sender's public address; null if it has none or it is not known for sure. */
  publicAddress(): string | null;
  /** Queues a Set-Cookie header for the response. Does nothing if the transport has no headers. */
  setCookie(cookie: string): void;
  /** Marks the response as made without the database. The HTTP layer adds `DEGRADED` to it. */
  markDegraded(): void;
}

/** The fields added to a degraded response. */
export const DEGRADED = { degraded: true, reason: 'datastore_unavailable' } as const;

/** Creates the context of one operation. */
export function createContext(deps: Deps, caller: Caller, request: RequestFacts): Context {
  return {
    ...deps,
    caller,
    request,
    // Only changes need it.
    get origin(): Origin {
      return originOf(caller, request.client());
    },
  };
}

/** The request facts of an operation that no HTTP request carries. */
export const noRequest = (
  host: string,
  correlationId: string,
  client: ReturnType<RequestFacts['client']> = { address: null, userAgent: null },
): RequestFacts => ({
  host,
  correlationId,
  route: null,
  client: () => client,
  publicAddress: () => null,
  setCookie: () => {},
  markDegraded: () => {},
});

const loadersOf = keptBy('data loaders', (_context: Context) => new Map<symbol, DataLoader<never, unknown>>());

/** This request's data loader of one kind, created on first use. */
export function loader<K, V, C = K>(
  context: Context,
  kind: symbol,
  make: () => DataLoader<K, V, C>,
): DataLoader<K, V, C> {
  const loaders = loadersOf(context);
  const known = loaders.get(kind) as DataLoader<K, V, C> | undefined;
  if (known) return known;
  const made = make();
  loaders.set(kind, made as never);
  return made;
}

const readsOf = keptBy('reads of the request', (_context: Context) => new Map<string, Promise<unknown>>());

/**
 * Reads once per request what several fields of it need, so that a request sees one consistent result.
 *
 * @param name what is read, with all that it depends on
 */
export function readOnce<T>(context: Context, name: string, read: () => Promise<T>): Promise<T> {
  const reads = readsOf(context);
  const known = reads.get(name) as Promise<T> | undefined;
  if (known) return known;
  const reading = read();
  reads.set(name, reading);
  return reading;
}
