import type { GraphQLSchema } from 'graphql';
import type { ErrorCode } from '../../../base/core/errors.ts';
import { DEGRADED } from '../../../base/graphql/context.ts';
import { ALWAYS_OPEN } from '../../../domain/access/gateway/storage-budget.ts';
import { version } from '../../http/server/version.ts';
import { mutationsOf } from '../rate.ts';
import { isRetired, isStreamed, type RetiredRoute, type Route, type Row, type StreamedRoute } from '../routes/route.ts';
import type { Part } from '../routes.ts';
import { drawAnswer } from './envelope.ts';
import { EXAMPLES } from './examples.ts';
import { correlationIdParameter, headers, idempotencyKeyParameter } from './headers.ts';
import { type JsonSchema, nameAs, namedSchemas, operationOf, readSelection, targetOf } from './json-schema.ts';
import { documentPaths, graphqlPaths, statusPaths } from './non-table-paths.ts';
import { bodyRefusals, EVERYWHERE, headersOf, LIMITED, refusalsOf, sharedRefusals } from './refusals.ts';
import { bodyOf, queryOf } from './requests.ts';
import { proofsOf, securitySchemes, whoMayCall } from './security-schemes.ts';
import { webhooks } from './webhook.ts';

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  readonly webhooks: JsonSchema;
  readonly [section: string]: unknown;
}

const ABOUT = `Quittance lets a shop be paid in crypto: a cart becomes a receipt with tax and fee, the buyer pays it on its portal page, a split contract
pays every recipient its share, and a signed webhook notifies the shop.

JSON in, JSON out. Money is a number of major units with at most two decimals; moments are epoch milliseconds; wallets are taken in any letter case and
returned in lower case. Send a key in \`Ocp-Apim-Subscription-Key\`. Every error has the same form; \`error\` is for programs.`;

/**
 * Describes the API as an OpenAPI document. Parameters, bodies and responses come from the rows of the route table, the
 * schemas that check requests, and the GraphQL schema of the stored operations. `baseUrl` is the server's address;
 * default: the server that serves the document.
 */
export function describeApi(parts: readonly Part[], schema: GraphQLSchema, baseUrl = '/'): OpenApiDocument {
  const paths: Record<string, Record<string, JsonSchema>> = { ...statusPaths };
  for (const { tag, routes } of parts) {
    for (const row of routes) {
      const path = row.path.replace(/:(\w+)/g, '{$1}');
      const operation = operationOfRow(row, schema);
      paths[path] = { ...paths[path], [row.method.toLowerCase()]: { tags: [tag], ...operation } };
    }
  }
  Object.assign(paths, graphqlPaths, documentPaths);
  return withoutUnused({
    openapi: '3.1.0',
    info: { title: 'Quittance', version, description: ABOUT, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: baseUrl }],
    tags: [
      ...parts.map(({ tag, about }) => ({ name: tag, description: about })),
      { name: 'Webhooks', description: 'Notifications from the service to the shop.' },
    ],
    paths,
    webhooks,
    components: {
      schemas: namedSchemas([paths, webhooks, sharedRefusals]),
      responses: sharedRefusals as Record<string, JsonSchema>,
      headers,
      securitySchemes,
    },
  });
}

/** The document without components that nothing refers to. */
function withoutUnused(document: OpenApiDocument): OpenApiDocument {
  const text = JSON.stringify(document);
  const isUsed = (kind: string, name: string) =>
    text.includes(`"#/components/${kind}/${name}"`) || (kind === 'securitySchemes' && text.includes(`"${name}":[`));
  const components = Object.fromEntries(
    Object.entries(document.components).map(([kind, all]) => [
      kind,
      Object.fromEntries(Object.entries(all).filter(([name]) => isUsed(kind, name))),
    ]),
  );
  const used = { ...document, components };
  // Removing a component can leave others unused.
  return JSON.stringify(used) === text ? used : withoutUnused(used);
}

/** `SaveInventoryItem` → `saveInventoryItem`. */
const operationIdOf = ({ operation }: Route): string => {
  const name = operationOf(operation).name?.value ?? '';
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
};

const pathParameters = (path: string): JsonSchema[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', minLength: 1, maxLength: 512 },
  }));

/** What a route does beyond its summary, and who may call it. */
const descriptionOf = (row: Row): string =>
  [row.detail, `For: ${whoMayCall(row)}`].filter((text) => text !== undefined).join('\n\n');

function operationOfRow(row: Row, schema: GraphQLSchema): JsonSchema {
  if (isRetired(row)) return retired(row);
  return isStreamed(row) ? text(row, schema) : live(row, schema);
}

function live(row: Route, schema: GraphQLSchema): JsonSchema {
  const { status, body } = drawAnswer(row, readSelection(schema, row.operation));
  const operationId = operationIdOf(row);
  const sent = bodyOf(row, schema);
  const example = EXAMPLES[operationId];
  return {
    operationId,
    summary: row.summary,
    description: descriptionOf(row),
    security: proofsOf(row),
    parameters: [
      ...pathParameters(row.path),
      ...queryOf(row, schema),
      ...(row.repeatable ? [idempotencyKeyParameter] : []),
      correlationIdParameter,
    ],
    ...(sent
      ? {
          requestBody: {
            required: 'required' in sent,
            content: { 'application/json': { schema: sent, ...(example ? { example } : {}) } },
          },
        }
      : {}),
    responses: {
      [status]: {
        description: status === 201 ? 'Created, or already present with the same content.' : 'Success.',
        headers: headersOf([
          ...LIMITED,
          'X-Ignored-Fields',
          ...(row.next ? ['Link'] : []),
          ...(row.setsCookies ? ['Set-Cookie'] : []),
        ]),
        content: { 'application/json': { schema: answerOf(row, body) } },
      },
      ...(row.method === 'GET' ? refusalsOf : bodyRefusals)([...EVERYWHERE, ...ofStorage(row), ...row.refuses]),
    },
  };
}

/** What a route may refuse because strangers have stored enough. */
const ofStorage = (row: Route): readonly ErrorCode[] =>
  row.access.kind !== 'scheduler' && mutationsOf(row).some((field) => !ALWAYS_OPEN.has(field))
    ? ['storage_limit_reached']
    : [];

function text(row: StreamedRoute, schema: GraphQLSchema): JsonSchema {
  return {
    operationId: row.operationId,
    summary: row.summary,
    description: descriptionOf(row),
    security: proofsOf(row),
    parameters: [...queryOf(row, schema), correlationIdParameter],
    responses: {
      200: {
        description: 'A text of any length. If it cannot be finished, the connection is closed before its end.',
        headers: headersOf([...LIMITED, 'Content-Disposition', 'X-Ignored-Fields']),
        content: Object.fromEntries(row.types.map((type) => [type, { schema: { type: 'string' } }])),
      },
      ...refusalsOf([...EVERYWHERE, ...row.refuses]),
    },
  };
}

function retired(row: RetiredRoute): JsonSchema {
  return {
    operationId: `retired${row.path.replace(/^\/api|[^a-z]+/gi, ' ').replace(/ +(\w)/g, (_, first) => first.toUpperCase())}`,
    summary: row.summary,
    description: descriptionOf(row),
    deprecated: true,
    security: proofsOf(row),
    parameters: [correlationIdParameter],
    responses: {
      204: { description: 'The answer of some deployments: nothing was done.', headers: headersOf([]) },
      ...bodyRefusals([...EVERYWHERE, 'deprecated']),
    },
  };
}

/** The response of a route by its name: the record that it is, else the operation's. */
function answerOf(row: Route, body: JsonSchema): JsonSchema {
  const target = targetOf(body);
  const name = '$ref' in body ? String(body.$ref).split('/').at(-1) : undefined;
  const paged = row.next ? withPage(target) : target;
  return nameAs(name ?? `${operationOf(row.operation).name?.value}Answer`, row.degrades ? orDegraded(paged) : paged);
}

/** The response of a route with pages, whose `nextCursor` is not the last cursor of the page as in GraphQL. */
function withPage(body: JsonSchema): JsonSchema {
  const { nextCursor, ...properties } = body.properties as Record<string, JsonSchema>;
  const cursor = { ...nextCursor, description: 'The `cursor` of the next page; null on the last page.' };
  return { ...body, properties: { ...properties, nextCursor: cursor } };
}

/** The response, or the same as given without the database, with the fields that mark it. */
function orDegraded(body: JsonSchema): JsonSchema {
  const marks = Object.entries(DEGRADED).map(([name, value]) => [
    name,
    { type: typeof value, const: value, description: 'Present only in responses made without the database.' },
  ]);
  return { ...body, properties: { ...(body.properties as object), ...Object.fromEntries(marks) } };
}
