import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../core/caller.ts';
import type { Refusal } from '../core/errors.ts';
import type { Context } from './context.ts';
import { parseWithin, validateWithin } from './limits.ts';
import { pageCheck } from './page-fields.ts';

/** An operation that was parsed, validated and, once it has come back, compiled. */
export interface Prepared {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** The names of its root fields, without aliases. */
  readonly rootFields: readonly string[];
  /** Why the caller's page may not read what it selects; null where it may. `run` asks it by itself. */
  pageRefusal(caller: Caller): Refusal | null;
  /** Runs it for one caller. Errors come back in the result. */
  run(context: Context, variables: Record<string, unknown>, root?: unknown): Promise<ExecutionResult> | ExecutionResult;
}

/** The one way a text becomes an execution, for every door. */
export interface Executor {
  readonly schema: GraphQLSchema;
  /** Prepares a text of which many will come; throws the first GraphQL error as an array of all. */
  prepare(text: string, operationName?: string | null): Prepared | { readonly errors: readonly GraphQLError[] };
}

const CACHED_TEXTS = 1_000;
/** A text is compiled once it has come this often: texts that come once are not worth it, and unbounded compiling eats memory. */
const COMPILE_AT = 3;

/** Makes an executor for a schema. */
export function createExecutor(schema: GraphQLSchema): Executor {
  const prepared = new LRUCache<string, Prepared>({ max: CACHED_TEXTS });
  return {
    schema,
    prepare(text, operationName) {
      const key = operationName ? `${operationName}\n${text}` : text;
      const known = prepared.get(key);
      if (known) return known;
      const made = prepareText(schema, text, operationName ?? null);
      if ('errors' in made) return made;
      prepared.set(key, made);
      return made;
    },
  };
}

function prepareText(
  schema: GraphQLSchema,
  text: string,
  name: string | null,
): Prepared | { errors: readonly GraphQLError[] } {
  try {
    const document = parseWithin(text);
    const errors = validateWithin(schema, document);
    if (errors.length > 0) return { errors };
    const operation = getOperationAST(document, name);
    if (!operation)
      return { errors: [new GraphQLError(name ? `Unknown operation ${name}` : 'Name one operation of the document')] };
    return runnable(schema, document, operation);
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] };
    throw error;
  }
}

/** Compiles a document at once: for the stored operations, which surely come back. */
export function compiled(schema: GraphQLSchema, document: DocumentNode): Prepared {
  const operation = getOperationAST(document);
  if (!operation) throw new Error('A stored document holds one operation');
  return runnable(schema, document, operation, 0);
}

function runnable(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  compileAt = COMPILE_AT,
): Prepared {
  const operationName = operation.name?.value;
  let runs = 0;
  let query: CompiledQuery | null = null;
  let compilable = true;
  const pageRefusal = pageCheck(schema, document, operation);
  return {
    document,
    operation,
    rootFields: rootFieldsOf(document, operation),
    pageRefusal,
    run(contextValue, variableValues, rootValue) {
      const refusal = pageRefusal(contextValue.caller);
      if (refusal) return { errors: [new GraphQLError(refusal.message, { originalError: refusal })] };
      if (!query && compilable && runs++ >= compileAt) {
        const attempt = compileQuery(schema, document, operationName ?? '', { disablingCapturingStackErrors: true });
        if (isCompiledQuery(attempt)) query = attempt;
        else compilable = false;
      }
      if (query)
        return query.query(rootValue, contextValue, variableValues) as Promise<ExecutionResult> | ExecutionResult;
      return execute({ schema, document, rootValue, contextValue, variableValues, operationName });
    },
  };
}

/** Root field names, through fragments; doors decide by them what a caller may ask at all. */
function rootFieldsOf(document: DocumentNode, operation: OperationDefinitionNode): string[] {
  const names: string[] = [];
  const walk = (selections: OperationDefinitionNode['selectionSet'], depth: number) => {
    for (const selection of selections.selections) {
      if (selection.kind === 'Field') names.push(selection.name.value);
      else if (selection.kind === 'InlineFragment') walk(selection.selectionSet, depth + 1);
      else {
        const fragment = document.definitions.find(
          (definition) => definition.kind === 'FragmentDefinition' && definition.name.value === selection.name.value,
        );
        if (fragment?.kind === 'FragmentDefinition' && depth < 20) walk(fragment.selectionSet, depth + 1);
      }
    }
  };
  walk(operation.selectionSet, 0);
  return names;
}
