import { type GraphQLSchema, getArgumentValues, getVariableValues, Kind } from 'graphql';
import { boundedCache, weakMemo } from '../core/caches.ts';
import { keptBy } from '../core/kept.ts';
import type { Context } from './context.ts';
import type { Prepared } from './prepared.ts';
import { rightsOf } from './rights.ts';

/**
 * Reads the object that the resolver of a root field returns for these arguments. A field declares it in
 * `extensions.answerSource` if its answer depends on nothing else than this object, the selection and the caller's
 * rights. The object is immutable: changed data is another object. The resolver reads it once per request, with this
 * same function.
 */
export type AnswerSource = (context: Context, args: never) => Promise<object>;

/** Reads the source of an operation's answer for one request. */
type SourceReader = (context: Context, variables: Record<string, unknown>) => Promise<object>;

/** The answers that were made from an object, at most this number. They are garbage-collected with it. */
const MAX_ANSWERS = 20;
const answersOf = weakMemo((_source: object) => boundedCache<string, Promise<unknown>>({ max: MAX_ANSWERS }));

/**
 * Makes an answer once, also for concurrent requests. It depends on nothing but `source` and what `name` says. Changed
 * data is another object, so an answer is never stale. Null is not kept, and neither is a failure.
 *
 * @param name the operation, its variables and the caller's rights
 */
export function answerOnce<T>(source: object, name: string, make: () => Promise<T>): Promise<T> {
  const answers = answersOf(source);
  const known = answers.get(name) as Promise<T> | undefined;
  if (known) return known;
  const made = make();
  answers.set(name, made);
  const drop = () => void answers.delete(name);
  made.then((answer) => answer ?? drop(), drop);
  return made;
}

/** What answers an operation from a source that has not changed. Null if the operation has no source. */
export interface SharedAnswers {
  /**
   * The bytes of the answer, made once for each source, variables and rights. Null if the source cannot be read, or if
   * the answer cannot be shared.
   *
   * @param make the bytes of an answer that is the same for the next request; null for any other
   */
  find(
    context: Context,
    variables: Record<string, unknown>,
    make: () => Promise<Buffer | null>,
  ): Promise<Buffer | null>;
}

/** The shared answers of an operation. The result is the same for the same operation. */
export function sharedAnswersOf(schema: GraphQLSchema, prepared: Prepared): SharedAnswers | null {
  const shared = sharedBy(prepared);
  if (shared.answers === undefined) shared.answers = createSharedAnswers(schema, prepared);
  return shared.answers;
}

const sharedBy = keptBy('shared answers', (_prepared: Prepared) => ({
  answers: undefined as SharedAnswers | null | undefined,
}));

function createSharedAnswers(schema: GraphQLSchema, prepared: Prepared): SharedAnswers | null {
  const read = readerOf(schema, prepared);
  if (!read) return null;
  return {
    async find(context, variables, make) {
      // The operation itself reports why the source cannot be read.
      const source = await read(context, variables).catch(() => null);
      if (!source) return null;
      const name = `${prepared.id} ${rightsOf(context.caller).key} ${JSON.stringify(variables)}`;
      return answerOnce(source, name, make);
    },
  };
}

/** The reader of a query with one root field that declares its source. Directives could leave the field out. */
function readerOf(schema: GraphQLSchema, { operation }: Prepared): SourceReader | null {
  const [node, ...others] = operation.selectionSet.selections;
  if (operation.operation !== 'query' || node?.kind !== Kind.FIELD || others.length > 0) return null;
  const field = schema.getQueryType()?.getFields()[node.name.value];
  const { answerSource } = (field?.extensions ?? {}) as { answerSource?: AnswerSource };
  if (!field || !answerSource || (node.directives?.length ?? 0) > 0) return null;
  return async (context, variables) => {
    const { coerced, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
    if (errors) throw errors[0];
    return answerSource(context, getArgumentValues(field, node, coerced) as never);
  };
}
