import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import { refuse } from '../core/errors.ts';
import { parseInput } from '../core/input.ts';
import { DEGRADED } from '../graphql/context.ts';
import { toRefusal } from '../graphql/errors.ts';
import { compiled } from '../graphql/execute.ts';
import type { Deps } from '../platform/deps.ts';
import type { HttpGuard } from '../server/http-guard.ts';
import type { LiveGuard } from '../server/live-guard.ts';
import { contextOf } from '../server/request-context.ts';
import { checkAccess, permissionOf } from './access.ts';
import { IGNORED_FIELDS_HEADER, ignoredFieldsOf } from './ignored-fields.ts';
import { rateOfRow } from './rate.ts';
import type { RestRequest } from './reader.ts';
import { idempotencyKey, query } from './request.input.ts';
import { cacheResponse, responseRights } from './response-cache.ts';
import { isRetired, isStreamed, type Row } from './route.ts';
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
  const urls = { allowInsecure: deps.settings.webhookAllowInsecure };
  for (const route of routes) {
    const rate = rateOfRow(schema, route);
    const checked = { access: route.access, method: route.method, permission: permissionOf(schema, route) };
    const common = {
      method: route.method,
      url: route.path,
      // Runs before the body is read, so that an unauthorized caller is refused whatever the body contains.
      async onRequest(request: FastifyRequest, reply: FastifyReply) {
        request.caller = await guard.identify(request, { open: route.access.kind === 'public' });
        checkAccess(checked, request.caller);
        await guard.limit(request, reply, rate);
      },
    };
    if (isRetired(route)) {
      server.route({
        ...common,
        async handler(_request, reply) {
          reply.header('deprecation', `@${route.sinceS}`);
          throw refuse('deprecated', undefined, { reason: route.reason });
        },
      });
      continue;
    }
    const ignoredIn = ignoredFieldsOf(route);
    if (isStreamed(route)) {
      // HEAD would read the whole text.
      server.route({ ...common, exposeHeadRoute: false, handler: streams.handlerOf(route, ignoredIn) });
      continue;
    }
    const operation = compiled(schema, route.operation);
    server.route({
      ...common,
      async handler(request, reply) {
        // Set before anything is refused: a misspelt field often is the cause.
        const ignored = ignoredIn(request);
        if (ignored !== null) reply.header(IGNORED_FIELDS_HEADER, ignored);
        const rest: RestRequest = {
          caller: request.caller,
          query: parseInput(query, request.query),
          params: request.params as Record<string, string>,
          body: request.body,
          host: request.host,
          idempotencyKey: parseInput(idempotencyKey, request.headers['idempotency-key']),
          urls,
        };
        const context = contextOf(deps, request, route.path);
        const parts = { ...rest, query: route.query?.read(rest), body: route.body?.read(rest) };
        const variables = route.variables(parts as never);
        const run = async () => {
          const result = await operation.run(context, variables);
          if (result.errors?.[0]) throw toRefusal(result.errors[0], deps.log, request.id);
          if (!result.data) throw refuse('failed');
          return { ...route.answer(result.data as never), next: route.next?.(result.data as never) ?? null };
        };
        const linkTo = (cursor: string | null) => {
          if (cursor !== null) reply.header('link', nextLink(deps.settings.baseUrl, route.path, rest.query, cursor));
        };
        const rights = route.source ? responseRights(request.caller) : null;
        // Without a source, the operation itself reports the error.
        const source = rights === null ? null : await route.source?.(context, variables as never).catch(() => null);
        if (source) {
          reply.type('application/json; charset=utf-8');
          const name = `${route.path} ${JSON.stringify(variables)} ${rights}`;
          const { bytes, next } = await cacheResponse(source, name, async () => {
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
      },
    });
  }
}

/** The link to the next page (RFC 8288): the same address with its cursor. */
function nextLink(baseUrl: string, path: string, query: RestRequest['query'], cursor: string): string {
  const parameters = new URLSearchParams({ ...(query as Record<string, string>), cursor });
  return `<${baseUrl}${path}?${parameters}>; rel="next"`;
}
