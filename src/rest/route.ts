import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { Caller } from '../core/caller.ts';
import type { ErrorCode } from '../core/errors.ts';
import type { Scope } from '../core/scopes.ts';
import type { UrlPolicy } from '../core/url.ts';
import type { Context } from '../graphql/context.ts';
import type { RateCategory } from '../platform/config-variables.ts';
import type { Reader } from './reader.ts';

/** Who may call a route at all; asked before anything of the request is read. The schema's own guards ask again. */
export type Access =
  /** Anyone. */
  | { readonly kind: 'public' }
  /** Any valid developer key, or an admin's session. */
  | { readonly kind: 'key' }
  /** A developer key with this scope, or an admin's session (with its CSRF token on unsafe methods). */
  | { readonly kind: 'scope'; readonly scope: Scope }
  /** An admin's session with its CSRF token; never a developer key. */
  | { readonly kind: 'admin' }
  /** The same, or a platform admin's session whatever merchant it acts for. */
  | { readonly kind: 'till' }
  /** Any signed-in wallet. */
  | { readonly kind: 'session' }
  /** Any valid developer key, any signed-in wallet, or the token of a plan's page. */
  | { readonly kind: 'subscribing' }
  /** The operator's timer, by its secret. */
  | { readonly kind: 'timer' };

/** A request as it came in. */
export interface RestRequest {
  readonly caller: Caller;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly host: string;
  readonly idempotencyKey: string | null;
  /** Where the operator lets callers' URLs lead. */
  readonly urls: UrlPolicy;
}

/**
 * What a row makes its variables from: of query, body and Idempotency-Key no more than it declares, as its readers have read it. So nothing can be asked
 * of a caller that the API document does not tell.
 */
export type RowRequest<Query, Body, Repeatable> = Pick<RestRequest, 'caller' | 'params' | 'host'> &
  ([Query] extends [undefined] ? unknown : { readonly query: Query }) &
  ([Body] extends [undefined] ? unknown : { readonly body: Body }) &
  (Repeatable extends true ? Pick<RestRequest, 'idempotencyKey'> : unknown);

/** What a route answers: 200 unless it says otherwise. */
export interface RestAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/**
 * One row of the route table: a stored operation, the map from request to variables, and the envelope around the result. The API document is made from
 * it: parameters and body from the readers' schemas, the answer from the operation's selection and the envelope.
 */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With `:name` for parameters. */
  readonly path: string;
  readonly access: Access;
  /** The name of the route in the reference: a few words, verb first. */
  readonly summary: string;
  /** What the name does not say, in whole sentences. */
  readonly detail?: string;
  /** How the query and the body are read; a route without one of them takes none. */
  readonly query?: Reader<unknown>;
  readonly body?: Reader<unknown>;
  /** Takes an Idempotency-Key. */
  readonly repeatable?: boolean;
  /** Answers without the database too, and then says so. */
  readonly degrades?: boolean;
  /** Opens or ends a session. */
  readonly setsCookies?: boolean;
  /** What it refuses, beside what any route may (openapi/refusals.ts). */
  readonly refuses: readonly ErrorCode[];
  readonly operation: TypedDocumentNode<unknown, Record<string, unknown>>;
  readonly variables: (request: never) => Record<string, unknown>;
  /** Only arranges the result: picks, renames, leaves out what is null. The document is drawn by calling it, so it must not compute with values. */
  readonly answer: (data: never) => RestAnswer;
  /**
   * All that the answer is made from beside variables and rights, where the same is asked for over and over: the answer is kept as bytes as long as this
   * is the same object. The operation of the same context must be given this very object.
   */
  readonly source?: (context: Context, variables: never) => Promise<object>;
}

/** A row for what is not done any more: whoever may call it is told what to do instead (410 `deprecated`). */
export interface RetiredRoute extends Pick<Route, 'method' | 'path' | 'access' | 'summary' | 'detail'> {
  /** What a program does instead. */
  readonly reason: string;
  readonly rate: RateCategory;
  /** Since when, in epoch seconds; goes out as the header `Deprecation` (RFC 9745). */
  readonly sinceS: number;
}

export const isRetired = (row: Route | RetiredRoute): row is RetiredRoute => !('operation' in row);

/** Makes a row whose variables and envelope are typed by its operation and by what it declares to read. */
export function route<Data, Variables, Query = undefined, Body = undefined, Repeatable = false>(
  row: Omit<Route, 'query' | 'body' | 'repeatable' | 'operation' | 'variables' | 'answer' | 'source'> & {
    query?: Reader<Query>;
    body?: Reader<Body>;
    repeatable?: Repeatable & boolean;
    operation: TypedDocumentNode<Data, Variables>;
    variables: (request: RowRequest<Query, Body, Repeatable>) => Variables;
    answer: (data: Data) => RestAnswer;
    source?: (context: Context, variables: Variables) => Promise<object>;
  },
): Route {
  return row as unknown as Route;
}

/** Access by the words of the table. */
export const open: Access = { kind: 'public' };
export const anyKey: Access = { kind: 'key' };
export const admin: Access = { kind: 'admin' };
export const till: Access = { kind: 'till' };
export const signedIn: Access = { kind: 'session' };
export const subscribing: Access = { kind: 'subscribing' };
export const timer: Access = { kind: 'timer' };
export const scope = (name: Scope): Access => ({ kind: 'scope', scope: name });
