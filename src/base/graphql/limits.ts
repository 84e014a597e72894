import { type DocumentNode, GraphQLError, type GraphQLSchema, parse, specifiedRules, validate } from 'graphql';
import { type Shape, shapeOf } from './shape.ts';

/** The limits of one operation, checked before a resolver runs. */
export const LIMITS = {
  characters: 20_000,
  tokens: 2_000,
  depth: 12,
  aliases: 30,
  directives: 30,
  /** Selections with each fragment expanded at every spread. Bounds the work of every tool that follows spreads. */
  selections: 5_000,
  /** Pairs of selections with the same response name, which validation compares. */
  repeats: 5_000,
  /** Root fields of one mutation document. */
  mutationFields: 10,
  cost: 20_000,
} as const;

/** The error for a query that exceeds a limit. */
export const tooComplex = (message: string) => new GraphQLError(message, { extensions: { code: 'query_too_complex' } });

/** The first limit that a document exceeds, as an error; null where it exceeds none. */
function excessOf(shape: Shape): GraphQLError | null {
  for (const measure of ['selections', 'depth', 'aliases', 'directives', 'repeats'] as const) {
    if (shape[measure] > LIMITS[measure])
      return tooComplex(`A query has at most ${LIMITS[measure]} ${WORDS[measure]}; this one has ${shape[measure]}`);
  }
  return null;
}

const WORDS: Readonly<Record<keyof Shape, string>> = {
  selections: 'selections with its fragments expanded',
  depth: 'levels of fields',
  aliases: 'aliases',
  directives: 'directives',
  repeats: 'pairs of selections with the same name',
};

/** The error for values or types that are nested deeper than the stack, which the parser follows one by one. */
const tooDeep = () => tooComplex('The values or types of this query are nested too deeply');

/** Parses a text within the limits; throws a coded GraphQL error. */
export function parseWithin(text: string): DocumentNode {
  if (text.length > LIMITS.characters) throw tooComplex(`A query has at most ${LIMITS.characters} characters`);
  try {
    return parse(text, { maxTokens: LIMITS.tokens });
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep();
    if (error instanceof GraphQLError && error.message.includes('tokens')) throw tooComplex(error.message);
    throw error;
  }
}

/**
 * Validates a document against the limits and the schema. The limits come first and are measured in linear time. The
 * rules of graphql-js and the compiler follow fragment spreads, so a document must not reach them if it is too large
 * when expanded or has recursive fragments.
 */
export function validateWithin(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  const shape = shapeOf(document);
  if (shape instanceof GraphQLError) return [shape];
  const excess = excessOf(shape);
  if (excess) return [excess];
  try {
    return validate(schema, document, specifiedRules, { maxErrors: 20 });
  } catch (error) {
    if (error instanceof RangeError) return [tooDeep()];
    throw error;
  }
}
