import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import type { Caller } from '../../base/core/caller.ts';
import { refuse } from '../../base/core/errors.ts';
import { parseInput } from '../../base/core/input.ts';
import type { UrlPolicy } from '../../base/core/url.ts';
import { answerOnce } from '../../base/graphql/answer-source.ts';
import { DEGRADED } from '../../base/graphql/context.ts';
import { toRefusal } from '../../base/graphql/errors.ts';
import { compiled } from '../../base/graphql/execute.ts';
import type { Deps } from '../../base/platform/deps.ts';
import { requireRoom } from '../../domain/access/gateway/storage-budget.ts';
import { contextOf, type HttpGuard } from '../http/server/http-guard.ts';
import type { LiveGuard } from '../http/server/live-guard.ts';
import { checkAccess, permissionOf } from './access.ts';
import { IGNORED_FIELDS_HEADER, ignoredFieldsOf } from './ignored-fields.ts';
import { mutationsOf, rateOfRow } from './rate.ts';
import { idempotencyKey, query, type RestRequest } from './routes/reader.ts';
import { isRetired, isStreamed, type RetiredRoute, type Route, type Row } from './routes/route.ts';
import { createStreams } from './streams.ts';

/**
 * Creates the REST routes from the route table. Each is one stored operation, parsed, validated and compiled once, at
 * startup. Each request passes these steps: identify, authorize, rate limit, read, execute, envelope.
 */
export function mountRoutes(
  server: FastifyInstance,
  routes: readonly Row[],
  schema: GraphQLSchema,
  deps: Deps,
  guard: HttpGuard,
  live: Pick<LiveGuard, 'connections'>,
): void {
  const streams = createStreams(server, deps, live);
  for (const route of routes) {
    const common = { method: route.method, url: route.path, onRequest: admits(route, schema, { deps, guard }) };
    if (isRetired(route)) server.route({ ...common, handler: refusesRetired(route) });
    // HEAD would read the whole text.
    else if (isStreamed(route))
      server.route({ ...common, exposeHeadRoute: false, handler: streams.handlerOf(route, ignoredFieldsOf(route)) });
    else server.route({ ...common, handler: runsOperation(route, schema, deps) });
  }
}

/** Runs before the body is read, so that an unauthorized caller is refused whatever the body contains. */
function admits(
  route: Row,
  schema: GraphQLSchema,
  { deps, guard }: { readonly deps: Deps; readonly guard: HttpGuard },
) {
  const rate = rateOfRow(schema, route);
  const checked = { access: route.access, method: route.method, permission: permissionOf(schema, route) };
  const written = mutationsOf(route);
  return async (request: FastifyRequest, reply: FastifyReply) => {
    request.caller = await guard.identify(request, { open: route.access.kind === 'public' });
    checkAccess(checked, request.caller);
    await guard.limit(request, reply, rate);
    if (written.length > 0) await requireRoom(deps, request.caller, written);
  };
}

const refusesRetired =
  ({ sinceS, reason }: RetiredRoute) =>
  async (_request: FastifyRequest, reply: FastifyReply) => {
    reply.header('deprecation', `@${sinceS}`);
    throw refuse('deprecated', undefined, { reason });
  };

/** Reads a request, executes the route's operation and puts the envelope around its result. */
function runsOperation(route: Route, schema: GraphQLSchema, deps: Deps) {
  const ignoredIn = ignoredFieldsOf(route);
  const operation = compiled(schema, route.operation);
  const urls = { allowInsecure: deps.settings.webhookAllowInsecure };
  return async (request: FastifyRequest, reply: FastifyReply) => {
    // Set before anything is refused: a misspelt field often is the cause.
    const ignored = ignoredIn(request);
    if (ignored !== null) reply.header(IGNORED_FIELDS_HEADER, ignored);
    const rest = restRequest(request, urls);
    const context = contextOf(deps, request, route.path);
    const variables = route.variables({ ...rest, query: route.query?.read(rest), body: route.body?.read(rest) });
    const run = async () => {
      const result = await operation.run(context, variables);
      if (result.errors?.[0]) {
        const refusal = toRefusal(result.errors[0], deps.log, request.id);
        // The argument of GraphQL is `after`.
        throw refusal.code === 'bad_cursor' && 'cursor' in rest.query
          ? refuse('bad_cursor', undefined, { field: 'cursor' })
          : refusal;
      }
      if (!result.data) throw refuse('failed');
      return { ...route.answer(result.data), next: route.next?.(result.data) ?? null };
    };
    const linkTo = (cursor: string | null) => {
      if (cursor !== null) reply.header('link', nextLink(deps.settings.baseUrl, route.path, rest.query, cursor));
    };
    const rights = route.source ? responseRights(request.caller) : null;
    // Without a source, the operation itself reports the error.
    const source = rights === null ? null : await route.source?.(context, variables).catch(() => null);
    if (source) {
      reply.type('application/json; charset=utf-8');
      const name = `${route.path} ${JSON.stringify(variables)} ${rights}`;
      const { bytes, next } = await answerOnce(source, name, async () => {
        const made = await run();
        return { bytes: Buffer.from(JSON.stringify(made.body)), next: made.next };
      });
      linkTo(next);
      return bytes;
    }
    const answer = await run();
    if (request.cookiesToSet.length > 0) reply.header('set-cookie', request.cookiesToSet);
    if (answer.headers) reply.headers(answer.headers);
    linkTo(answer.next);
    reply.code(answer.status ?? 200).type('application/json; charset=utf-8');
    return JSON.stringify(request.degraded ? { ...(answer.body as object), ...DEGRADED } : answer.body);
  };
}

/**
 * A caller's rights as a key, equal for callers that see the same data. Null for callers whose responses are not
 * cached.
 */
const responseRights = (caller: Caller): string | null =>
  caller.kind === 'developer' ? `${caller.merchant} ${[...caller.scopes].join(' ')}` : null;

const restRequest = (request: FastifyRequest, urls: UrlPolicy): RestRequest => ({
  caller: request.caller,
  query: parseInput(query, request.query),
  params: request.params as Record<string, string>,
  body: request.body,
  host: request.host,
  idempotencyKey: parseInput(idempotencyKey, request.headers['idempotency-key']),
  urls,
});

/** The link to the next page (RFC 8288): the same address with its cursor. */
function nextLink(baseUrl: string, path: string, query: RestRequest['query'], cursor: string): string {
  const parameters = new URLSearchParams({ ...query, cursor });
  return `<${baseUrl}${path}?${parameters}>; rel="next"`;
}
