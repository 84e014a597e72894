import type { paths } from '../../src/client/generated/api.d.ts';

/*
 * A client as a shop would write it: no code is generated, the types alone are made from openapi.json. Method, path,
 * query, headers and body are checked by the compiler, and the answer is typed by its status.
 */

type Method = 'get' | 'post' | 'put' | 'delete';

/** The paths that take a method. */
type PathsWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? P : never;
}[keyof paths];

type Operation<P extends keyof paths, M extends Method> = NonNullable<paths[P][M & keyof paths[P]]>;

type Parameters<Op> = Op extends { parameters: infer All } ? All : never;
type Part<Op, Name extends string> = Parameters<Op> extends { [N in Name]?: infer Given } ? NonNullable<Given> : never;
type Body<Op> = Op extends { requestBody?: infer Sent }
  ? NonNullable<Sent> extends { content: { 'application/json': infer Json } }
    ? Json
    : never
  : never;

/** What must be given must be given, and what does not exist cannot be. */
type Field<Name extends string, Value> = [Value] extends [never]
  ? { [N in Name]?: never }
  : Record<string, never> extends Value
    ? { [N in Name]?: Value }
    : { [N in Name]: Value };

type Request<Op> = Field<'query', Part<Op, 'query'>> &
  Field<'path', Part<Op, 'path'>> &
  Field<'headers', Part<Op, 'header'>> &
  Field<'body', Body<Op>>;

/** The responses of an operation, discriminated by `status`. */
type Answer<Op> = Op extends { responses: infer All }
  ? {
      [Status in keyof All & number]: {
        status: Status;
        body: All[Status] extends { content: { 'application/json': infer Json } } ? Json : undefined;
      };
    }[keyof All & number]
  : never;

/** A caller of one server with one key. */
export function createClient(baseUrl: string, key: string) {
  async function send<M extends Method, P extends PathsWith<M> & string>(
    method: M,
    path: P,
    request: Request<Operation<P, M>>,
  ): Promise<Answer<Operation<P, M>>> {
    const { query, path: names, headers, body } = request as Record<string, Record<string, string> | undefined>;
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names?.[name] ?? ''));
    const response = await fetch(`${baseUrl}${filled}${query ? `?${new URLSearchParams(query)}` : ''}`, {
      method: method.toUpperCase(),
      headers: {
        ...headers,
        'Ocp-Apim-Subscription-Key': key,
        ...(body ? { 'Content-Type': 'application/json' } : {}),
      },
      body: body ? JSON.stringify(body) : undefined,
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) } as Answer<Operation<P, M>>;
  }
  return {
    get: <P extends PathsWith<'get'> & string>(path: P, request: Request<Operation<P, 'get'>>) =>
      send('get', path, request),
    post: <P extends PathsWith<'post'> & string>(path: P, request: Request<Operation<P, 'post'>>) =>
      send('post', path, request),
  };
}
