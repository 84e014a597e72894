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
import { boundedCache } from '../core/caches.ts';
import { refuse } from '../core/errors.ts';
import { afterLoopTime } from '../core/loop-time.ts';
import { createLiftedQueries } from './lift-literals.ts';
import { LIMITS, parseWithin, tooComplex, validateWithin } from './limits.ts';
import { oneOfCheck } from './one-of.ts';
import { pageCheck } from './page-fields.ts';
import { newId, type Prepared, type PreparedOrErrors } from './prepared.ts';
import { shapeOf } from './shape.ts';
import { surveyOf } from './survey.ts';

/** Prepares operations for every transport. */
export interface Executor {
  readonly schema: GraphQLSchema;
  /** Parses and validates a document, and caches it. Returns all GraphQL errors if it is invalid. */
  prepare(text: string, operationName?: string | null): PreparedOrErrors;
}

const CACHED_TEXTS = 1_000;
/** A document is compiled at this use. Compiling documents that are used once wastes time and memory. */
const COMPILE_AT = 3;
/** Larger operations are interpreted: compile time grows with the number of selections and blocks the event loop. */
const COMPILED_SELECTIONS = 500;

/**
 * A name of GraphQL, which operations have. It has no line break, so that no name with its text is cached as another
 * name with another text.
 */
const NAME = /^[_A-Za-z]\w*$/;

/** Creates an executor for a schema. */
export function createExecutor(schema: GraphQLSchema): Executor {
  const prepared = boundedCache<string, Prepared>({ max: CACHED_TEXTS });
  const lifted = createLiftedQueries(schema, (document, operationName) =>
    prepareDocument(schema, document, operationName),
  );
  return {
    schema,
    prepare(text, operationName) {
      const prepareAsSent = () => prepareText(schema, text, operationName ?? null);
      if (operationName && !NAME.test(operationName)) return prepareAsSent();
      const key = `${operationName ?? ''}\n${text}`;
      const known = prepared.get(key);
      if (known) return known;
      const shared = lifted.find(text, operationName ?? null, prepareAsSent);
      if (shared) return shared;
      const made = prepareAsSent();
      if ('errors' in made) return made;
      prepared.set(key, made);
      return made;
    },
  };
}

function prepareText(schema: GraphQLSchema, text: string, name: string | null): PreparedOrErrors {
  try {
    return prepareDocument(schema, parseWithin(text), name);
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] };
    throw error;
  }
}

function prepareDocument(schema: GraphQLSchema, document: DocumentNode, name: string | null): PreparedOrErrors {
  const errors = validateWithin(schema, document);
  if (errors.length > 0) return { errors };
  const operation = getOperationAST(document, name);
  if (!operation)
    return { errors: [new GraphQLError(name ? `Unknown operation ${name}` : 'Name one operation of the document')] };
  const shape = shapeOf(document);
  const compileAt = 'selections' in shape && shape.selections <= COMPILED_SELECTIONS ? COMPILE_AT : Infinity;
  const made = runnable(schema, document, operation, compileAt);
  const { length } = made.survey.rootFields;
  if (operation.operation === 'mutation' && length > LIMITS.mutationFields)
    return { errors: [tooComplex(`A mutation has at most ${LIMITS.mutationFields} fields; this one has ${length}`)] };
  return made;
}

/** Compiles a document at once. For the stored operations, which are used repeatedly. */
export function compiled(schema: GraphQLSchema, document: DocumentNode): Prepared {
  const operation = getOperationAST(document);
  if (!operation) throw new Error('A stored document holds one operation');
  return runnable(schema, document, operation, 0);
}

function runnable(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  compileAt: number,
): Prepared {
  const operationName = operation.name?.value;
  let runs = 0;
  let query: CompiledQuery | null = null;
  let compilable = true;
  const pageRefusal = pageCheck(schema, document, operation);
  const namesOneOf = oneOfCheck(schema, operation);
  const survey = surveyOf(schema, document, operation);
  const isLimited = hasDeadline(survey.rootFields);
  const start: Prepared['run'] = (contextValue, variableValues, rootValue) => {
    const refusal = pageRefusal(contextValue.caller);
    if (refusal) return { errors: [new GraphQLError(refusal.message, { originalError: refusal })] };
    if (!query && compilable && runs++ >= compileAt) {
      const attempt = compileQuery(schema, document, operationName ?? '', { disablingCapturingStackErrors: true });
      if (isCompiledQuery(attempt)) query = attempt;
      else compilable = false;
    }
    // The interpreter refuses the variables, with its own errors.
    if (query && (namesOneOf?.(variableValues) ?? true))
      return query.query(rootValue, contextValue, variableValues) as Promise<ExecutionResult> | ExecutionResult;
    return execute({ schema, document, rootValue, contextValue, variableValues, operationName });
  };
  return {
    id: newId(),
    document,
    operation,
    pageRefusal,
    survey,
    run(context, variables, root) {
      const started = start(context, variables, root);
      return isLimited && started instanceof Promise ? withinDeadline(started) : started;
    },
  };
}

/** A query or a mutation is answered within 10 s. The rest is for reading the request and writing the answer. */
const DEADLINE_MS = 9_500;

/** Root fields whose work is as long as the day's list of subscriptions. Only the operator's scheduler calls them. */
const LONG: ReadonlySet<string> = new Set(['chargeDueSubscriptions']);

/** Whether an operation with these root fields has a deadline. */
const hasDeadline = (rootFields: readonly string[]): boolean => !rootFields.some((name) => LONG.has(name));

/**
 * The result of an operation, or an error once the deadline is over. What the operation has begun ends by itself: each
 * of its statements and requests has a limit of its own, and a transaction is committed as a whole or not at all.
 */
function withinDeadline(running: Promise<ExecutionResult>): Promise<ExecutionResult> {
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
