import {
  type ASTNode,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLInputType,
  type GraphQLScalarType,
  type GraphQLSchema,
  getNullableType,
  isScalarType,
  Kind,
  parse,
  TypeInfo,
  type TypeNode,
  type ValueNode,
  type VariableDefinitionNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { boundedCache } from '../core/caches.ts';
import { LIMITS } from './limits.ts';
import { newId, type Prepared, type PreparedOrErrors } from './prepared.ts';

/** A literal of a text: a number or a string. */
interface Literal {
  readonly kind: Kind.INT | Kind.FLOAT | Kind.STRING;
  /** The text of the number, or the content of the string. */
  readonly value: string;
}

/** A text whose literals are replaced by marks of their kinds. */
interface Skeleton {
  readonly text: string;
  readonly literals: readonly Literal[];
}

/** A string without escapes, or what begins like a number outside of a name. */
const LITERAL = /"([^"\\\p{Cc}\p{Cs}]*)"|(?<![\w$@])-?\d[\w.+-]*/gu;
const INT = /^-?(?:0|[1-9]\d*)$/;
const FLOAT = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Comments, escapes, block strings and control characters. Texts with them are not lifted. */
const UNUSUAL = /[#\\]|"""|[^\P{Cc}\t\n\r]/u;

/** No character of a GraphQL text. */
const MARKS = { [Kind.INT]: '\u0001', [Kind.FLOAT]: '\u0002', [Kind.STRING]: '\u0003' } as const;

/** Separates the literals of a text from the rest, without parsing. Null if there are none, or the text is unusual. */
export function skeletonOf(text: string): Skeleton | null {
  if (UNUSUAL.test(text)) return null;
  const literals: Literal[] = [];
  let isUnusual = false;
  const rest = text.replace(LITERAL, (token, content: string | undefined) => {
    const kind =
      content !== undefined ? Kind.STRING : INT.test(token) ? Kind.INT : FLOAT.test(token) ? Kind.FLOAT : null;
    if (kind === null) {
      isUnusual = true;
      return token;
    }
    literals.push({ kind, value: content ?? token });
    return MARKS[kind];
  });
  return isUnusual || literals.length === 0 || rest.includes('"') ? null : { text: rest, literals };
}

/** A document with a variable in place of each literal. */
interface Lifted {
  readonly document: DocumentNode;
  /**
   * The variables for the literals of a text with the same skeleton. Null if a literal is not valid in its place, or
   * means something else as a variable.
   */
  variablesOf(literals: readonly Literal[]): Record<string, unknown> | null;
}

const PREFIX = 'lifted_';

/**
 * Replaces every literal of a valid document with one query. Null if a literal is where no variable may be, or where
 * its type is no scalar.
 */
export function liftLiterals(schema: GraphQLSchema, text: string): Lifted | null {
  if (text.includes(PREFIX)) return null;
  const document = parse(text, { noLocation: true });
  const types: GraphQLScalarType[] = [];
  const definitions: VariableDefinitionNode[] = [];
  const info = new TypeInfo(schema);
  let isWhole = true;
  const lift = (): ValueNode | undefined => {
    const type = getNullableType(info.getInputType()) as GraphQLInputType | undefined;
    if (!isScalarType(type)) {
      isWhole = false;
      return undefined;
    }
    const name = { kind: Kind.NAME, value: `${PREFIX}${types.length}` } as const;
    const variable = { kind: Kind.VARIABLE, name } as const;
    types.push(type);
    definitions.push({ kind: Kind.VARIABLE_DEFINITION, variable, type: requiredType(type.name) });
    return variable;
  };
  const lifted = visit(
    document,
    visitWithTypeInfo(info, {
      // A default value must be constant.
      VariableDefinition: (node) => {
        if (hasLiteral(node)) isWhole = false;
        return false;
      },
      Directive: (node) => {
        if (hasLiteral(node)) isWhole = false;
        return false;
      },
      IntValue: lift,
      FloatValue: lift,
      StringValue: lift,
    }),
  );
  const operations = lifted.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  const [operation] = operations;
  if (!isWhole || !operation || operations.length > 1 || operation.operation !== 'query') return null;
  const declared = [...(operation.variableDefinitions ?? []), ...definitions];
  return {
    document: {
      kind: Kind.DOCUMENT,
      definitions: lifted.definitions.map((one) =>
        one === operation ? { ...operation, variableDefinitions: declared } : one,
      ),
    },
    variablesOf: (literals) => variablesOf(types, literals),
  };
}

const requiredType = (name: string): TypeNode => ({
  kind: Kind.NON_NULL_TYPE,
  type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: name } },
});

function hasLiteral(node: ASTNode): boolean {
  let found = false;
  const find = () => {
    found = true;
  };
  visit(node, { IntValue: find, FloatValue: find, StringValue: find });
  return found;
}

function variablesOf(types: readonly GraphQLScalarType[], literals: readonly Literal[]) {
  if (types.length !== literals.length) return null;
  const variables: Record<string, unknown> = {};
  for (let i = 0; i < types.length; i++) {
    const type = types[i] as GraphQLScalarType;
    const literal = literals[i] as Literal;
    // A number of an ID may have more digits than a number of JavaScript.
    const value = literal.kind === Kind.STRING || type.name === 'ID' ? literal.value : Number(literal.value);
    try {
      const asLiteral = type.parseLiteral(literal as ValueNode);
      if (asLiteral === undefined || !Object.is(asLiteral, type.parseValue(value))) return null;
    } catch {
      return null;
    }
    variables[`${PREFIX}${i}`] = value;
  }
  return variables;
}

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
