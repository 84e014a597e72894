import { merchantOf } from '../../../base/core/caller.ts';
import { builder, throughParent } from '../../../base/graphql/builder.ts';
import { GLOBAL_ID, globalId } from '../../../base/graphql/global-id.ts';
import { ErrorCodeEnum } from '../../../base/graphql/vocabulary.ts';
import { KEPT_MS, LIST_MAX } from '../../../base/platform/recent-lists.ts';
import { type FailedRequest, readFailedRequests } from './failed-requests.ts';

const FailedRequestType = builder.objectRef<FailedRequest>('FailedRequest').implement({
  ...throughParent,
  description: 'A request of the merchant’s keys or members that failed. It has nothing of the request’s content.',
  fields: (t) => ({
    id: t.id({ description: GLOBAL_ID, resolve: ({ id }) => globalId('FailedRequest', id) }),
    at: t.expose('at', { type: 'Millis', description: 'When it was answered.' }),
    operation: t.exposeString('operation', {
      description:
        'What was called: method and route of REST (`POST /api/orders`), or type and root fields of GraphQL (`query receipts`).',
    }),
    status: t.exposeInt('status', {
      description: 'The HTTP status. For an operation of GraphQL, the status that REST answers with the code.',
    }),
    code: t.expose('code', { type: ErrorCodeEnum, description: 'The error code, of the first error.' }),
    field: t.exposeString('field', { nullable: true, description: 'The input field that the error names.' }),
    correlationId: t.exposeID('correlationId', {
      description: 'The correlation id of the answer, as in the server’s log.',
    }),
    keyId: t.exposeID('keyId', { nullable: true, description: 'The key that sent it; null: a signed-in member.' }),
    keyLabel: t.exposeString('keyLabel', { nullable: true, description: 'The name that people gave the key.' }),
  }),
});

builder.queryField('failedRequests', (t) =>
  t.field({
    type: [FailedRequestType],
    description: `The latest requests of the merchant's keys and members over HTTP that failed with a status of 400 or more, the newest first: at most ${LIST_MAX}, of the last ${KEPT_MS / 86_400_000} days. Entries may be lost, such as at a restart of a server without Redis.`,
    authScopes: { may: 'keys' },
    complexity: { field: 1, multiplier: LIST_MAX },
    resolve: (_root, _args, ctx) => readFailedRequests(ctx, merchantOf(ctx.caller)),
  }),
);
