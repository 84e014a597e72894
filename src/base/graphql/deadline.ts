import { type ExecutionResult, GraphQLError } from 'graphql';
import { refuse } from '../core/errors.ts';
import { afterLoopTime } from '../core/loop-time.ts';

/** A query or a mutation is answered within 10 s. The rest is for reading the request and writing the answer. */
const DEADLINE_MS = 9_500;

/** Root fields whose work is as long as the day's list of subscriptions. Only the operator's scheduler calls them. */
const LONG: ReadonlySet<string> = new Set(['chargeDueSubscriptions']);

/** Whether an operation with these root fields has a deadline. */
export const hasDeadline = (rootFields: readonly string[]): boolean => !rootFields.some((name) => LONG.has(name));

/**
 * The result of an operation, or an error once the deadline is over. What the operation has begun ends by itself: each
 * of its statements and requests has a limit of its own, and a transaction is committed as a whole or not at all.
 */
export function withinDeadline(running: Promise<ExecutionResult>): Promise<ExecutionResult> {
  return new Promise((resolve, reject) => {
    const cancel = afterLoopTime(DEADLINE_MS, () => resolve(LATE));
    running.then(
      (result) => {
        cancel();
        resolve(result);
      },
      (error: unknown) => {
        cancel();
        reject(error as Error);
      },
    );
  });
}

const LATE: ExecutionResult = {
  errors: [
    new GraphQLError('', {
      originalError: refuse(
        'failed',
        'This took longer than 10 seconds. It may still take effect: read the state before you repeat it',
      ),
    }),
  ],
};
