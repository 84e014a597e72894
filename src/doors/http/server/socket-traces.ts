import type { SubscribePayload } from 'graphql-ws';
import { newUuid } from '../../../base/core/ids.ts';
import { type Work, workBegins } from '../../../base/core/observed.ts';
import { beginWork, completesWork, withinWork } from '../../../base/core/traced.ts';
import type { Prepared } from '../../../base/graphql/prepared.ts';

/** An operation of a websocket, from its message until its answer, or until its stream is open. */
export interface TracedOperation {
  /** The id of its trace; a random one while traces are off. */
  readonly correlationId: string;
  readonly work: Work | null;
}

/**
 * Begins the span of an operation, in the trace that `extensions.traceparent` of its message names, or `traceparent` of
 * `connection_init`.
 */
export function beginOperation({ extensions }: SubscribePayload, params: unknown): TracedOperation {
  if (!workBegins.hasSubscribers) return { correlationId: newUuid(), work: null };
  const remote = textOf(extensions) ?? textOf(params);
  const attributes = { 'network.protocol.name': 'websocket' };
  const work = beginWork({ kind: 'request', name: 'websocket', attributes, remote });
  return { correlationId: work.traceparent?.split('-')[1] ?? newUuid(), work };
}

const textOf = (holder: unknown): string | null => {
  const text = (holder as { readonly traceparent?: unknown } | null | undefined)?.traceparent;
  return typeof text === 'string' ? text : null;
};

/** Admits an operation as a part of its span, which ends if the operation is refused. */
export async function admitTraced<T>({ work, correlationId }: TracedOperation, run: () => Promise<T>): Promise<T> {
  if (!work) return run();
  const result = await withinWork(work, run);
  if (Array.isArray(result))
    completesWork(work, () => {}, { isFailure: () => true, attributes: { correlation_id: correlationId } });
  return result;
}

/** Executes an operation as the last part of its span. */
export function executeTraced<T>(
  { work, correlationId }: TracedOperation,
  { operation, survey }: Pick<Prepared, 'operation' | 'survey'>,
  run: () => T,
): T {
  if (!work) return run();
  const type = operation.operation;
  const field = survey.rootFields[0] ?? '';
  return completesWork(work, run, {
    name: `websocket ${type}`,
    attributes: { 'graphql.operation.type': type, 'graphql.field': field, correlation_id: correlationId },
    isFailure: (result) => typeof result === 'object' && result !== null && 'errors' in result && !!result.errors,
  });
}
