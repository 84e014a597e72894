import { operations } from '../../../base/core/observed.ts';
import type { Prepared } from '../../../base/graphql/prepared.ts';

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
