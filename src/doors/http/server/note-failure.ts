import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Refusal } from '../../../base/core/errors.ts';
import { operations } from '../../../base/core/observed.ts';
import type { Prepared } from '../../../base/graphql/prepared.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import {
  answerableMerchant,
  type Failure,
  storeFailedRequest,
} from '../../../domain/access/gateway/failed-requests.ts';

type Noting = Pick<Deps, 'recentLists' | 'clock'>;

/**
 * Stores a request that failed for its merchant, after its answer was sent. A request that succeeds never comes here.
 */
export function noteFailure(
  deps: Noting,
  request: FastifyRequest,
  reply: FastifyReply,
  failure: Omit<Failure, 'correlationId'>,
): void {
  const { caller, id: correlationId } = request;
  if (answerableMerchant(caller) === null) return;
  reply.raw.once('close', () => storeFailedRequest(deps, caller, { ...failure, correlationId }));
}

/** Stores a refused request to a route of the API. The route's pattern stands for the path, which may carry secrets. */
export function noteRefusal(deps: Noting, request: FastifyRequest, reply: FastifyReply, refusal: Refusal): void {
  const route = request.routeOptions.url;
  if (!route?.startsWith('/api/')) return;
  const { status, code, extra } = refusal;
  noteFailure(deps, request, reply, { operation: `${request.method} ${route}`, status, code, field: extra.field });
}

/** Reports an executed operation to metrics. */
export function reportOperation(
  { operation, survey }: Pick<Prepared, 'operation' | 'survey'>,
  variables: Record<string, unknown>,
  context: object,
  failed: boolean,
): void {
  const { points } = survey.bill(variables, context);
  operations.publish({ type: operation.operation, field: survey.rootFields[0] ?? '', points, failed });
}
