import { DEPENDENCY_STATES, HEALTHS } from '../../../domain/operations/operators/dependencies.ts';
import { READY_PARTS } from '../../../domain/operations/operators/readiness.ts';
import { correlationIdParameter } from './headers.ts';
import { type JsonSchema, nameAs, objectOf, ref } from './json-schema.ts';
import { headersOf, LIMITED, refusalOf, refusalsOf } from './refusals.ts';

/** Paths that are not in the route table. */

const dependency: JsonSchema = { type: 'string', enum: [...DEPENDENCY_STATES] };

const healthFields = {
  ok: { type: 'boolean' },
  status: { type: 'string', enum: [...HEALTHS] },
  time: { type: 'integer', description: 'The server’s time, in epoch milliseconds.' },
  dependencies: nameAs(
    'HealthDependencies',
    objectOf({ database: dependency, redis: dependency, chain: dependency, watcher: dependency }),
  ),
  chains: {
    type: 'array',
    items: nameAs('ChainHealth', objectOf({ chainId: { type: 'integer' }, chain: dependency, watcher: dependency })),
    description: 'The state of every chain, if there are several.',
  },
  warnings: { type: 'array', items: { type: 'string' }, description: 'What needs attention, if anything does.' },
};
const health = nameAs('Health', objectOf(healthFields, ['ok', 'status', 'time', 'dependencies']));
const readyPart = nameAs(
  'ReadyPart',
  objectOf({ ready: { type: 'boolean' }, reason: { type: 'string', description: 'Why, or why not.' } }),
);
const readiness = nameAs(
  'Readiness',
  objectOf(
    {
      ...healthFields,
      ready: { type: 'boolean', description: 'Whether the parts that were asked for are ready.' },
      parts: objectOf({ orders: readyPart, payments: readyPart }),
    },
    ['ok', 'status', 'time', 'dependencies', 'ready', 'parts'],
  ),
);

const json = (description: string, schema: JsonSchema, names: readonly string[] = []): JsonSchema => ({
  description,
  headers: headersOf(names),
  content: { 'application/json': { schema } },
});

/** The GraphQL response, in one of several media types. */
const graphqlAnswer = nameAs('GraphQLAnswer', {
  type: 'object',
  description: 'Data, errors, or both. A request that is refused as a whole also has the fields of every other error.',
  properties: {
    data: { type: ['object', 'null'], additionalProperties: true },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          message: { type: 'string' },
          extensions: {
            type: 'object',
            properties: {
              code: { type: 'string' },
              field: { type: 'string' },
              http: { type: 'object', properties: { status: { type: 'integer' } }, additionalProperties: false },
              correlationId: { type: 'string' },
              docs: { type: 'string' },
            },
            additionalProperties: true,
          },
        },
        required: ['message'],
        additionalProperties: true,
      },
    },
    extensions: { type: 'object', additionalProperties: true },
    error: { type: 'string' },
    message: { type: 'string' },
  },
  additionalProperties: true,
});

const GRAPHQL_STATUSES: Readonly<Record<string, string>> = {
  200: 'The result. With `Accept: text/event-stream`, a stream of results.',
  400: 'The request cannot be executed.',
  401: 'No valid key, session or page token.',
  403: 'Insufficient rights: a key needs `graphql:read` and cannot run mutations.',
  429: 'Too many requests, counted by cost.',
  500: 'An internal error.',
  503: 'The database is unavailable.',
};

const ONLY_GET = { 405: 'A mutation was sent by GET.' };
const ONLY_POST = { 413: 'The body is larger than 1 MiB.', 415: 'The media type is not supported.' };

const graphqlResponses = (more: Readonly<Record<number, string>>) => ({
  ...Object.fromEntries(
    Object.entries({ ...GRAPHQL_STATUSES, ...more }).map(([status, description]) => [
      status,
      {
        description,
        headers: headersOf([...LIMITED, 'Retry-After', 'Set-Cookie', 'ETag']),
        content: {
          'application/json': { schema: graphqlAnswer },
          'application/graphql-response+json': { schema: graphqlAnswer },
          ...(status === '200' ? { 'text/event-stream': { schema: { type: 'string' } } } : {}),
        },
      },
    ]),
  ),
  406: {
    description: 'The media type is not available. The `Accept` header lists those that are.',
    headers: headersOf(['Accept']),
    content: { 'application/json': { schema: graphqlAnswer } },
  },
});

const graphqlSecurity = [
  { SubscriptionKey: ['graphql:read'] },
  { ApiKey: ['graphql:read'] },
  { BearerKey: ['graphql:read'] },
  { PageToken: [] },
  { Session: [] },
  {},
];

/** The answer is the one that the client has. */
const notModified = {
  description: 'The answer is still the one of `If-None-Match`.',
  headers: headersOf([...LIMITED, 'ETag']),
};

const header = (name: string, description: string): JsonSchema => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string' },
});

const costHeader = header('x-graphql-cost', '`1`: the answer names its cost in `extensions.cost`.');

const graphql = { tags: ['GraphQL'], security: graphqlSecurity };

const variable = (name: string, description: string): JsonSchema => ({
  name,
  in: 'query',
  description,
  schema: { type: 'string' },
});

export const statusPaths = {
  '/healthz': {
    get: {
      operationId: 'healthz',
      tags: ['Status'],
      summary: 'Liveness',
      security: [],
      parameters: [correlationIdParameter],
      responses: {
        200: json('The process answers.', health),
        400: refusalOf(['invalid_input']),
      },
    },
  },
  '/readyz': {
    get: {
      operationId: 'readyz',
      tags: ['Status'],
      summary: 'Readiness',
      security: [],
      parameters: [
        correlationIdParameter,
        {
          name: 'for',
          in: 'query',
          description: 'The part that decides alone, for a load balancer. Default: both.',
          schema: { type: 'string', enum: [...READY_PARTS] },
        },
      ],
      responses: {
        200: json('Orders can be booked, and payments are seen.', readiness),
        ...refusalsOf(['invalid_input', 'forbidden']),
        503: json('One of them is not so; `parts` says why.', readiness),
      },
    },
  },
};

export const graphqlPaths = {
  '/api/graphql': {
    get: {
      ...graphql,
      operationId: 'graphqlByGet',
      summary: 'Run a GraphQL query by URL',
      description: 'Queries and, as an event stream, subscriptions; never a mutation.',
      responses: { ...graphqlResponses(ONLY_GET), 304: notModified },
      parameters: [
        variable('query', 'The GraphQL document.'),
        variable('documentId', 'The id of a document that the server knows, instead of `query`.'),
        variable('operationName', 'The name of the operation to run.'),
        variable('variables', 'The variables, as JSON.'),
        variable('extensions', 'Protocol extensions, as JSON.'),
        costHeader,
        header('If-None-Match', 'The `ETag` of an earlier answer to the same `documentId`.'),
      ],
    },
    post: {
      ...graphql,
      operationId: 'graphql',
      summary: 'Run a GraphQL operation',
      description:
        'A key reads `user`, `follows`, `liveUsers` and `leaderboard`. Other resources also need their own scope. Mutations need a session.',
      parameters: [costHeader],
      responses: { ...graphqlResponses(ONLY_POST), 408: ref('responses', 'RequestTimeout') },
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: nameAs(
              'GraphQLRequest',
              objectOf(
                {
                  query: { type: ['string', 'null'], description: 'The GraphQL document.' },
                  documentId: {
                    type: ['string', 'null'],
                    description: 'The id of a document that the server knows, instead of `query`.',
                  },
                  operationName: { type: ['string', 'null'] },
                  variables: { type: ['object', 'null'], additionalProperties: true },
                  extensions: { type: ['object', 'null'], additionalProperties: true },
                },
                [],
              ),
            ),
            example: { query: '{ leaderboard(limit: 3) { wallet displayName xp } }' },
          },
        },
      },
    },
  },
};

export const documentPaths = {
  '/api/schema.graphql': {
    get: {
      operationId: 'schema',
      tags: ['GraphQL'],
      summary: 'GraphQL schema',
      description: 'In production to callers who may introspect: with a key that has `graphql:read`, or a session.',
      security: graphqlSecurity,
      parameters: [correlationIdParameter, header('If-None-Match', 'The `ETag` of an earlier answer.')],
      responses: {
        200: {
          description: 'The schema in the schema definition language.',
          headers: headersOf([...LIMITED, 'ETag']),
          content: { 'text/plain': { schema: { type: 'string' } } },
        },
        304: notModified,
        ...refusalsOf([
          'invalid_input',
          'unauthorized',
          'forbidden',
          'rate_limited',
          'failed',
          'datastore_unavailable',
        ]),
      },
    },
  },
  '/api/openapi.json': {
    get: {
      operationId: 'openapi',
      tags: ['Status'],
      summary: 'OpenAPI document',
      security: [],
      parameters: [correlationIdParameter],
      responses: {
        200: json(
          'An OpenAPI document, with this server’s own address.',
          nameAs('OpenApiDocument', { type: 'object', additionalProperties: true }),
          LIMITED,
        ),
        ...refusalsOf(['invalid_input', 'forbidden', 'rate_limited', 'failed']),
      },
    },
  },
};
