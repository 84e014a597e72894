import type { DocumentNode, ExecutionResult, GraphQLError, OperationDefinitionNode } from 'graphql';
import type { Caller } from '../core/caller.ts';
import type { Refusal } from '../core/errors.ts';
import type { Context } from './context.ts';
import type { Survey } from './survey.ts';

/** A parsed and validated operation. It is compiled once it has been used repeatedly. */
export interface Prepared {
  /** Unique in this process. */
  readonly id: number;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** Why the caller's page may not read the selected fields; null if it may. `run` checks this itself. */
  pageRefusal(caller: Caller): Refusal | null;
  /** The selected root fields and the cost. Other operations of the document do not count. */
  readonly survey: Survey;
  /** Executes the operation for one caller. Errors are part of the result. */
  run(context: Context, variables: Record<string, unknown>, root?: unknown): Promise<ExecutionResult> | ExecutionResult;
}

/** A prepared operation, or all GraphQL errors of an invalid document. */
export type PreparedOrErrors = Prepared | { readonly errors: readonly GraphQLError[] };

let lastId = 0;

/** The id of a new operation. */
export const newId = (): number => ++lastId;
