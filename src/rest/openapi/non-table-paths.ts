import { correlationIdParameter } from './headers.ts';
import { type JsonSchema, objectOf, ref } from './json-schema.ts';
import { headersOf, LIMITED, refusalOf, refusalsOf } from './refusals.ts';
import { VOCABULARIES } from './vocabularies.ts';

/** Paths that are no rows of the route table. */

const dependency: JsonSchema = { type: 'string', enum: VOCABULARIES['Dependencies.database'] };

const health = objectOf({
  ok: { type: 'boolean' },
  status: { type: 'string', enum: VOCABULARIES['ServiceStatus.status'] },
  time: { type: 'integer', description: 'The server’s clock, epoch milliseconds.' },
  dependencies: objectOf({ database: dependency, redis: dependency, chain: dependency, watcher: dependency }),
});

const json = (description: string, schema: JsonSchema, names: readonly string[] = []): JsonSchema => ({
  description,
  headers: headersOf(names),
  content: { 'application/json': { schema } },
});

/** One of several forms of the same answer, by its media type. */
const graphqlAnswer: JsonSchema = {
  type: 'object',
  description: 'Data, errors, or both. A request that is refused as a whole carries the form of every other error too.',
  properties: {
    data: { type: ['object', 'null'], additionalProperties: true },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          message: { type: 'string' },
          extensions: { type: 'object', properties: { code: { type: 'string' } }, additionalProperties: true },
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
};

const GRAPHQL_STATUSES: Readonly<Record<string, string>> = {
  200: 'What was asked for. With `Accept: text/event-stream`, a stream of it.',
  400: 'Not a request that can be executed.',
  401: 'No valid key, session or page token.',
  403: 'Not with these rights: a key needs `graphql:read`, and never runs a mutation.',
  405: 'A mutation by GET.',
  413: 'The body is larger than 1 MiB.',
  415: 'Not a media type that can be read.',
  429: 'Too many requests, counted by cost.',
  500: 'Something went wrong.',
  503: 'The database is away.',
};

const graphqlResponses = Object.fromEntries(
  Object.entries(GRAPHQL_STATUSES).map(([status, description]) => [
    status,
    {
      description,
      headers: headersOf([...LIMITED, 'Retry-After', 'Set-Cookie']),
      content: {
        'application/json': { schema: ref('schemas', 'GraphQLAnswer') },
        'application/graphql-response+json': { schema: ref('schemas', 'GraphQLAnswer') },
        ...(status === '200' ? { 'text/event-stream': { schema: { type: 'string' } } } : {}),
      },
    },
  ]),
);

/** The one answer of this door that has no body. */
const notAcceptable = {
  description: 'No such media type: `Accept` says which there are.',
  headers: headersOf(['Accept']),
};

const graphqlSecurity = [
  { SubscriptionKey: ['graphql:read'] },
  { ApiKey: ['graphql:read'] },
  { BearerKey: ['graphql:read'] },
  { PageToken: [] },
  { Session: [] },
  {},
];

const graphql = {
  tags: ['GraphQL'],
  security: graphqlSecurity,
  responses: { ...graphqlResponses, 406: notAcceptable },
};

const variable = (name: string, description: string, required = false): JsonSchema => ({
  name,
  in: 'query',
  description,
  ...(required ? { required } : {}),
  schema: { type: 'string' },
});

export const besideSchemas = { Health: health, GraphQLAnswer: graphqlAnswer };

export const statusPaths = {
  '/healthz': {
    get: {
      operationId: 'healthz',
      tags: ['Status'],
      summary: 'Liveness',
      security: [],
      parameters: [correlationIdParameter],
      responses: {
        200: json('It answers.', ref('schemas', 'Health')),
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
      parameters: [correlationIdParameter],
      responses: {
        200: json('It can.', ref('schemas', 'Health')),
        ...refusalsOf(['invalid_input', 'forbidden']),
        503: json('The database is away.', ref('schemas', 'Health')),
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
      parameters: [
        variable('query', 'The text of the operation.', true),
        variable('operationName', 'Which of the text’s operations to run.'),
        variable('variables', 'Its variables, as JSON.'),
        variable('extensions', 'Extensions of the protocol, as JSON.'),
      ],
    },
    post: {
      ...graphql,
      operationId: 'graphql',
      summary: 'Run a GraphQL operation',
      description:
        'A key reads `user`, `follows`, `liveUsers` and `leaderboard`, and anything else with that resource’s own scope as well. Mutations are for sessions.',
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: objectOf(
              {
                query: { type: 'string', description: 'The text of the operation.' },
                operationName: { type: ['string', 'null'] },
                variables: { type: ['object', 'null'], additionalProperties: true },
                extensions: { type: ['object', 'null'], additionalProperties: true },
              },
              ['query'],
            ),
            example: { query: '{ leaderboard(limit: 3) { wallet displayName xp } }' },
          },
        },
      },
    },
  },
};

export const documentPaths = {
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
          { type: 'object', additionalProperties: true },
          LIMITED,
        ),
        ...refusalsOf(['invalid_input', 'forbidden', 'rate_limited', 'failed']),
      },
    },
  },
};
