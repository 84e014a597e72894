import { z } from 'zod';
import type { Caller } from '../../../base/core/caller.ts';
import { refuse } from '../../../base/core/errors.ts';
import { identifier } from '../../../base/core/text.ts';
import { feedQuery } from '../../../domain/reports/events/feed.input.ts';
import { endpointBodyInput, endpointChange, rotationInput } from '../../../domain/webhooks/endpoints/endpoint.input.ts';
import { SHOP_SYSTEM_KINDS } from '../../../domain/webhooks/events/kinds.ts';
import type { CreateWebhookEndpointInput, UpdateWebhookEndpointInput } from '../generated/graphql.ts';
import {
  CreateWebhookEndpointDocument,
  DeleteWebhookEndpointDocument,
  EventsDocument,
  RemoveWebhookEndpointDocument,
  RotateWebhookSecretDocument,
  TestWebhookEndpointDocument,
  UpdateWebhookEndpointDocument,
  WebhookEndpointDocument,
  WebhookEndpointsDocument,
} from '../generated/graphql.ts';
import { readsBody, readsQuery } from './reader.ts';
import { admin, type Route, route, scope } from './route.ts';
import { eventWord } from './words.ts';

/** The query of `GET /api/events`. */
const eventsQuery = readsQuery(feedQuery, ({ after, limit = null }) => ({ after: after || null, limit }));

/** The body of `POST /api/webhooks/endpoints`. */
const endpointBody = readsBody(
  endpointBodyInput,
  ({ events, kinds = events, ...checked }, { caller }): CreateWebhookEndpointInput => ({
    ...checked,
    kinds: kinds ?? kindsWanted(caller),
  }),
);

/** What a key receives that names no events. A person names them. */
function kindsWanted({ kind }: Caller): string[] {
  if (kind === 'developer') return [...SHOP_SYSTEM_KINDS];
  throw refuse('invalid_input', 'kinds must be a list', { field: 'kinds' });
}

/** The body of `POST /api/webhooks/endpoints/delete`. */
const deletedBody = readsBody(z.object({ endpointId: identifier }), (checked) => checked);

/** The body of `PUT /api/webhooks/endpoints/{id}`. */
const endpointChangeBody = readsBody(endpointChange, (checked): UpdateWebhookEndpointInput => checked);

/** The body of `POST /api/webhooks/endpoints/{id}/rotate`. */
const rotationBody = readsBody(rotationInput, (checked) => checked, { mayBeMissing: true });

/** The endpoints that receive a merchant's events. */
export const webhookRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/events',
    access: scope('receipts:read'),
    summary: 'Read events',
    detail: 'The oldest first, each once. `nextCursor` is the `after` of the next page, also of an empty one.',
    query: eventsQuery,
    refuses: ['bad_cursor', 'cursor_expired'],
    operation: EventsDocument,
    variables: ({ query }) => query,
    answer: ({ events: { events, nextCursor } }) => ({
      body: { events: events.map((event) => ({ ...event, type: eventWord(event.type) })), nextCursor },
    }),
  }),
  route({
    method: 'GET',
    path: '/api/webhooks/endpoints',
    access: scope('webhooks:write'),
    summary: 'List webhook endpoints',
    detail: 'The oldest first; at most 20. A key sees those that it registered.',
    refuses: [],
    operation: WebhookEndpointsDocument,
    variables: () => ({}),
    answer: ({ webhookEndpoints }) => ({ body: { endpoints: webhookEndpoints } }),
  }),
  route({
    method: 'POST',
    path: '/api/webhooks/endpoints',
    access: scope('webhooks:write'),
    summary: 'Register a webhook endpoint',
    detail:
      'The answer shows its secret, once. A key registers it for events that its scopes read; it ends with the key.',
    body: endpointBody,
    repeatable: true,
    refuses: [],
    operation: CreateWebhookEndpointDocument,
    variables: ({ body, idempotencyKey }) => ({ input: body, idempotencyKey }),
    answer: ({ createWebhookEndpoint: { endpoint, secret } }) => ({
      status: 201,
      body: { ok: true, endpoint, secret },
    }),
  }),
  route({
    method: 'POST',
    path: '/api/webhooks/endpoints/delete',
    access: scope('webhooks:write'),
    summary: 'Delete an endpoint by a body',
    detail: 'The same, for programs that send no `DELETE`.',
    body: deletedBody,
    refuses: ['not_found'],
    operation: RemoveWebhookEndpointDocument,
    variables: ({ body }) => body,
    answer: () => ({ body: { ok: true } }),
  }),
  route({
    method: 'GET',
    path: '/api/webhooks/endpoints/:id',
    access: admin,
    summary: 'Read a webhook endpoint',
    refuses: ['not_found'],
    operation: WebhookEndpointDocument,
    variables: ({ params }) => ({ endpointId: params.id as string }),
    answer: ({ webhookEndpoint }) => ({ body: { endpoint: webhookEndpoint } }),
  }),
  route({
    method: 'PUT',
    path: '/api/webhooks/endpoints/:id',
    access: admin,
    summary: 'Change a webhook endpoint',
    detail: 'Omitted fields keep their values. `enabled` enables or disables it.',
    body: endpointChangeBody,
    refuses: ['not_found'],
    operation: UpdateWebhookEndpointDocument,
    variables: ({ params, body }) => ({ endpointId: params.id as string, input: body }),
    answer: ({ updateWebhookEndpoint }) => ({ body: { ok: true, endpoint: updateWebhookEndpoint } }),
  }),
  route({
    method: 'DELETE',
    path: '/api/webhooks/endpoints/:id',
    access: scope('webhooks:write'),
    summary: 'Delete a webhook endpoint',
    detail: 'A key deletes those that it registered.',
    refuses: ['not_found'],
    operation: DeleteWebhookEndpointDocument,
    variables: ({ params }) => ({ endpointId: params.id as string }),
    answer: () => ({ body: { ok: true } }),
  }),
  route({
    method: 'POST',
    path: '/api/webhooks/endpoints/:id/rotate',
    access: admin,
    summary: 'Rotate an endpoint’s secret',
    detail: 'The answer shows the new secret, once. For the overlap, events carry the signatures of both secrets.',
    body: rotationBody,
    repeatable: true,
    refuses: ['not_found'],
    operation: RotateWebhookSecretDocument,
    variables: ({ params, body, idempotencyKey }) => ({ endpointId: params.id as string, ...body, idempotencyKey }),
    answer: ({ rotateWebhookSecret: { endpoint, secret } }) => ({ body: { ok: true, endpoint, secret } }),
  }),
  route({
    method: 'POST',
    path: '/api/webhooks/endpoints/:id/test',
    access: admin,
    summary: 'Test a webhook endpoint',
    detail: 'Sends an event of type `ping` once, and returns the response of the endpoint.',
    refuses: ['not_found'],
    operation: TestWebhookEndpointDocument,
    variables: ({ params }) => ({ endpointId: params.id as string }),
    answer: ({ testWebhookEndpoint }) => ({ body: testWebhookEndpoint }),
  }),
];
