import type DataLoader from 'dataloader';
import type { Caller } from '../core/caller.ts';
import { weakMemo } from '../core/weak-memo.ts';
import type { Deps } from '../platform/deps.ts';

/** What a resolver is given beside its arguments: who asks, what the domain stands on, and this request's own loaders. */
export interface Context extends Deps {
  readonly caller: Caller;
  readonly request: RequestFacts;
}

/** What a resolver may know of the request that carries the operation, and may add to its answer. */
export interface RequestFacts {
  readonly host: string;
  readonly correlationId: string;
  /** The public address of whoever sends it; null where it has none, or it is not known for sure. */
  publicAddress(): string | null;
  /** Queues a Set-Cookie header for the answer; does nothing where there is none to set it on. */
  setCookie(cookie: string): void;
  /** Notes that the answer was made without the database; the door says so beside it. */
  markDegraded(): void;
}

/** What a door says beside a degraded answer. */
export const DEGRADED = { degraded: true, reason: 'datastore_unavailable' } as const;

/** Makes the context of one operation. */
export function createContext(deps: Deps, caller: Caller, request: RequestFacts): Context {
  return { ...deps, caller, request };
}

/** The request facts of an operation that no HTTP request carries. */
export const noRequest = (host: string, correlationId: string): RequestFacts => ({
  host,
  correlationId,
  publicAddress: () => null,
  setCookie: () => {},
  markDegraded: () => {},
});

const loadersOf = weakMemo((_context: Context) => new Map<symbol, DataLoader<never, unknown>>());

/** This request's loader of one kind, made on first use. */
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
