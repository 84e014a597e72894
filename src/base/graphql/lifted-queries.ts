import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql';
import { boundedCache } from '../core/caches.ts';
import { liftLiterals, skeletonOf } from './lift-literals.ts';
import { LIMITS } from './limits.ts';
import { newId, type Prepared, type PreparedOrErrors } from './prepared.ts';

/** Queries that differ in their literals only. They share one prepared document. */
interface LiftedQueries {
  /**
   * The prepared document that a text shares with others, with the text's literals as variables. Null if the text is
   * not shared: it has no literals, is new, or has a literal that must be parsed in its place.
   *
   * @param asSent prepares the text itself
   */
  find(text: string, operationName: string | null, asSent: () => PreparedOrErrors): Prepared | null;
}

/** A shared document, and the variables for the literals of a text. */
interface Shared {
  readonly prepared: Prepared;
  readonly variablesOf: NonNullable<ReturnType<typeof liftLiterals>>['variablesOf'];
}

const SKELETONS = 1_000;
/** At this use of a skeleton its document is prepared. Texts that are used once need none. */
const LIFT_AT = 2;

/** Creates the shared documents of an executor. They are validated, priced and compiled like any other. */
export function createLiftedQueries(
  schema: GraphQLSchema,
  prepare: (document: DocumentNode, operationName: string | null) => PreparedOrErrors,
): LiftedQueries {
  /** By operation name and skeleton: the document, null if there can be none, or the number of uses. */
  const known = boundedCache<string, { shared: Shared | null | undefined; uses: number }>({ max: SKELETONS });

  function makeShared(text: string, operationName: string | null, asSent: () => PreparedOrErrors): Shared | null {
    if ('errors' in asSent()) return null;
    const lifted = liftLiterals(schema, text);
    const prepared = lifted && prepare(lifted.document, operationName);
    return lifted && prepared && !('errors' in prepared) ? { prepared, variablesOf: lifted.variablesOf } : null;
  }

  return {
    find(text, operationName, asSent) {
      if (text.length > LIMITS.characters) return null;
      const skeleton = skeletonOf(text);
      if (skeleton === null) return null;
      const key = `${operationName ?? ''}\n${skeleton.text}`;
      const entry = known.get(key) ?? { shared: undefined, uses: 0 };
      known.set(key, entry);
      if (entry.shared === undefined && ++entry.uses >= LIFT_AT) entry.shared = makeShared(text, operationName, asSent);
      if (!entry.shared) return null;
      const variables = entry.shared.variablesOf(skeleton.literals);
      return variables && bound(entry.shared.prepared, variables, asSent);
    },
  };
}

/** A shared document with the values of one text. */
function bound(shared: Prepared, values: Readonly<Record<string, unknown>>, asSent: () => PreparedOrErrors): Prepared {
  const { document, operation, pageRefusal, survey } = shared;
  return {
    id: newId(),
    document,
    operation,
    pageRefusal,
    survey: {
      rootFields: survey.rootFields,
      bill: (variables, context) => survey.bill({ ...variables, ...values }, context),
    },
    async run(context, variables, root) {
      const result = await shared.run(context, { ...variables, ...values }, root);
      if (!result.errors) return result;
      // Errors name places in the text, so the query runs again as it was sent.
      const own = asSent();
      return 'errors' in own ? (own as ExecutionResult) : own.run(context, variables, root);
    },
  };
}
