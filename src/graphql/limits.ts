import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import { maxDirectivesRule } from '@escape.tech/graphql-armor-max-directives';
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  parse,
  specifiedRules,
  type ValidationRule,
  validate,
} from 'graphql';

/** What one operation may ask for, refused before a resolver runs. */
export const LIMITS = {
  characters: 20_000,
  tokens: 2_000,
  depth: 12,
  aliases: 30,
  directives: 30,
  cost: 20_000,
} as const;

const tooComplex = (message: string) => new GraphQLError(message, { extensions: { code: 'query_too_complex' } });

/** The armor's rules report through a callback of ours, because their own errors carry no code. */
const refusing = (rule: (options: never) => (context: never) => unknown, options: object): ValidationRule =>
  ((context: { reportError(error: GraphQLError): void }) =>
    (rule as (given: object) => (inner: unknown) => unknown)({
      ...options,
      propagateOnRejection: false,
      onReject: [(_context: unknown, error: GraphQLError) => context.reportError(tooComplex(error.message))],
    })(context)) as unknown as ValidationRule;

const rules: readonly ValidationRule[] = [
  refusing(maxDepthRule as never, { n: LIMITS.depth, ignoreIntrospection: true, flattenFragments: true }),
  refusing(maxAliasesRule as never, { n: LIMITS.aliases, allowList: [] }),
  refusing(maxDirectivesRule as never, { n: LIMITS.directives }),
];

/** Parses a text within the limits; throws a coded GraphQL error. */
export function parseWithin(text: string): DocumentNode {
  if (text.length > LIMITS.characters) throw tooComplex(`A query has at most ${LIMITS.characters} characters`);
  try {
    return parse(text, { maxTokens: LIMITS.tokens });
  } catch (error) {
    if (error instanceof GraphQLError && error.message.includes('tokens')) throw tooComplex(error.message);
    throw error;
  }
}

/** Validates a document against schema and limits. The limits come first, so that a bomb is refused before the costlier rules look at it. */
export function validateWithin(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  const bombs = validate(schema, document, rules, { maxErrors: 1 });
  return bombs.length > 0 ? bombs : validate(schema, document, specifiedRules, { maxErrors: 20 });
}
