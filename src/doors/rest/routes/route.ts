import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { ErrorCode } from '../../../base/core/errors.ts';
import type { Permission } from '../../../base/core/roles.ts';
import type { Scope } from '../../../base/core/scopes.ts';
import type { Context } from '../../../base/graphql/context.ts';
import type { RateCategory } from '../../../base/platform/config/rate-limits.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { Reader, RestRequest } from './reader.ts';

/** Which callers may use a route, checked before the request is read. The GraphQL schema's guards check again. */
export type Access =
  /** Every caller. */
  | { readonly kind: 'public' }
  /** Any valid developer key, or an admin's session. */
  | { readonly kind: 'key' }
  /** A developer key with this scope, and `also` with that, or an admin's session with its CSRF token on writes. */
  | { readonly kind: 'scope'; readonly scope: Scope; readonly also?: Scope }
  /** An admin's session with its CSRF token; never a developer key. */
  | { readonly kind: 'admin' }
  /** The same, or a platform admin's session acting for any merchant. */
  | { readonly kind: 'till' }
  /** Any signed-in wallet. */
  | { readonly kind: 'session' }
  /** Any valid developer key, any signed-in wallet, or the token of a plan's page. */
  | { readonly kind: 'subscribing' }
  /** The operator's scheduler, by the cron secret. */
  | { readonly kind: 'scheduler' };

/**
 * The parts of the request from which a row makes its variables: query, body and Idempotency-Key only if the row
 * declares them, as its readers return them. The API document therefore describes every input.
 */
export type RowRequest<Query, Body, Repeatable> = Pick<RestRequest, 'caller' | 'params' | 'host'> &
  ([Query] extends [undefined] ? unknown : { readonly query: Query }) &
  ([Body] extends [undefined] ? unknown : { readonly body: Body }) &
  (Repeatable extends true ? Pick<RestRequest, 'idempotencyKey'> : unknown);

/** A request after the readers of its row. `route` checks that the row's functions take what they return. */
interface ReadRequest extends Omit<RestRequest, 'query' | 'body'> {
  readonly query: unknown;
  readonly body: unknown;
}

/** The response of a route; status 200 by default. */
export interface RestAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/**
 * One row of the route table: a stored operation, the mapping from request to variables, and the envelope around the
 * result. The API document is made from it: parameters and body from the readers' schemas, the response from the
 * operation's selection and the envelope.
 */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With `:name` for parameters. */
  readonly path: string;
  readonly access: Access;
  /** The name of the route in the reference, a few words with the verb first. */
  readonly summary: string;
  /** What the summary does not say, in full sentences. */
  readonly detail?: string;
  /** Readers of the query and the body. Without a reader, a route ignores that part. */
  readonly query?: Reader<unknown>;
  readonly body?: Reader<unknown>;
  /** Accepts an Idempotency-Key. */
  readonly repeatable?: boolean;
  /** Also answers without the database, and marks the response. */
  readonly degrades?: boolean;
  /** Creates or ends a session. */
  readonly setsCookies?: boolean;
  /** Errors beside those that any route may return (openapi/refusals.ts). */
  readonly refuses: readonly ErrorCode[];
  readonly operation: TypedDocumentNode<unknown, Record<string, unknown>>;
  variables(request: ReadRequest): Record<string, unknown>;
  /**
   * Arranges the result: picks and renames fields, omits nulls. It must not compute with values, because the API
   * document calls it with placeholders.
   */
  answer(data: object): RestAnswer;
  /** The cursor of the next page, for the header `Link`; null on the last page. */
  next?(data: object): string | null;
  /**
   * The only data, beside variables and rights, that the response depends on. The response is cached as bytes for as
   * long as this is the same object. The operation must read this same object from its context. Null: the response of
   * this request is not cached.
   */
  source?(context: Context, variables: object): Promise<object | null>;
}

/** The text of a streamed route, made while it is sent. */
export interface StreamedText {
  readonly type: string;
  /** The name under which a browser saves it. */
  readonly filename: string;
  /** Ends early if the client leaves. Each part is asked for when the client has taken the one before. */
  readonly parts: AsyncGenerator<string>;
  /** The last line if the text cannot be finished; empty if its format has none. The connection is cut after it. */
  fault(body: object): string;
}

/** A route that answers with a text of any length. It has access, rate category and errors like every route. */
export interface StreamedRoute
  extends Pick<Route, 'path' | 'access' | 'summary' | 'detail' | 'query' | 'refuses' | 'operation'> {
  readonly method: 'GET';
  /** What a session's role must include. */
  readonly permission: Permission;
  /** Its name in the API document. `operation` is not run: it gives the rate category and describes the parameters. */
  readonly operationId: string;
  /** The media types of its texts. */
  readonly types: readonly string[];
  open(deps: Deps, request: Pick<ReadRequest, 'caller' | 'query'>): StreamedText;
}

/** A retired route: answers 410 `deprecated` with what to use instead. */
export interface RetiredRoute extends Pick<Route, 'method' | 'path' | 'access' | 'summary' | 'detail'> {
  /** The replacement, for programs. */
  readonly reason: string;
  readonly rate: RateCategory;
  /** When the route was deprecated, in epoch seconds; sent as the header `Deprecation` (RFC 9745). */
  readonly sinceS: number;
}

/** A row of the route table. */
export type Row = Route | StreamedRoute | RetiredRoute;

/** Whether a row is a route that answers 410. */
export const isRetired = (row: Row): row is RetiredRoute => !('operation' in row);
/** Whether a row is a route that answers with a text of any length. */
export const isStreamed = (row: Row): row is StreamedRoute => 'open' in row;

/** Types a row's variables and envelope by its operation and its readers. */
export function route<Data, Variables, Query = undefined, Body = undefined, Repeatable = false>(
  row: Omit<Route, 'query' | 'body' | 'repeatable' | 'operation' | 'variables' | 'answer' | 'next' | 'source'> & {
    query?: Reader<Query>;
    body?: Reader<Body>;
    repeatable?: Repeatable & boolean;
    operation: TypedDocumentNode<Data, Variables>;
    variables: (request: RowRequest<Query, Body, Repeatable>) => Variables;
    answer: (data: Data) => RestAnswer;
    next?: (data: Data) => string | null;
    source?: (context: Context, variables: Variables) => Promise<object | null>;
  },
): Route {
  return row as unknown as Route;
}

/** Types the text of a streamed route by its reader. */
export function streamed<Query>(
  row: Omit<StreamedRoute, 'query' | 'open' | 'operation'> & {
    query: Reader<Query>;
    operation: TypedDocumentNode<unknown, never>;
    open: (deps: Deps, request: Pick<RestRequest, 'caller'> & { readonly query: Query }) => StreamedText;
  },
): StreamedRoute {
  return row as unknown as StreamedRoute;
}

/** Access kinds by short names, for the table. */
export const open: Access = { kind: 'public' };
export const anyKey: Access = { kind: 'key' };
export const admin: Access = { kind: 'admin' };
export const till: Access = { kind: 'till' };
export const signedIn: Access = { kind: 'session' };
export const subscribing: Access = { kind: 'subscribing' };
export const scheduler: Access = { kind: 'scheduler' };
/** A developer key with this scope, and with the other if there is one, or an admin's session. */
export const scope = (name: Scope, also?: Scope): Access => ({ kind: 'scope', scope: name, also });
