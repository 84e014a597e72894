import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import type { Caller } from '../core/caller.ts';
import type { Refusal } from '../core/errors.ts';
import { keptBy } from '../core/kept.ts';
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

const foundIn = keptBy('cursor variable', (_prepared: Prepared) => ({ name: undefined as string | null | undefined }));

/**
 * The variable that holds only the position where a subscription resumes. It is the value of the argument that the root
 * field names in `extensions.cursorArg`, and is used nowhere else. Subscribers that differ only in this variable
 * receive the same events. Null if there is none.
 */
export function cursorVariable(schema: GraphQLSchema, prepared: Prepared): string | null {
  const found = foundIn(prepared);
  if (found.name === undefined) found.name = find(schema, prepared);
  return found.name;
}

function find(schema: GraphQLSchema, { document, operation, survey }: Prepared): string | null {
  const field = schema.getSubscriptionType()?.getFields()[survey.rootFields[0] as string];
  const { cursorArg } = (field?.extensions ?? {}) as { cursorArg?: string };
  const name = cursorArg === undefined ? undefined : variableOf(operation, cursorArg);
  if (name === undefined) return null;
  let uses = 0;
  visit(document, {
    VariableDefinition: () => false,
    Variable(node) {
      if (node.name.value === name) uses++;
    },
  });
  return uses === 1 ? name : null;
}

/** The variable passed for an argument of the root field. */
function variableOf({ selectionSet }: OperationDefinitionNode, argument: string): string | undefined {
  const [root] = selectionSet.selections;
  if (root?.kind !== Kind.FIELD) return undefined;
  const value = root.arguments?.find(({ name }) => name.value === argument)?.value;
  return value?.kind === Kind.VARIABLE ? value.name.value : undefined;
}
