import { getMappedArgumentValues } from '@pothos/core';
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getVariableValues,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'graphql';
import { malformed } from '../core/errors.ts';
import type { RateCategory } from '../platform/config/rate-limits.ts';
import { introspectionMultiplier, POINTS_PER_ENTRY } from './introspection.ts';
import { rateOf } from './rate.ts';
import { fragmentsOf } from './shape.ts';

/** The root fields and the cost of the chosen operation of a document. */
export interface Survey {
  /** The names of its root fields, without aliases, one entry per selection. */
  readonly rootFields: readonly string[];
  /** The cost with these variables. Refuses invalid variables with `invalid_input`. */
  bill(variables: Record<string, unknown>, context: object): Bill;
}

/** The cost of one execution. */
interface Bill {
  /** Points of cost: fields, multiplied by the length of the lists that contain them. */
  readonly points: number;
  /** How many requests it counts as, per rate category, if so many points count as one. */
  countsAt(pointsPerRequest: number): ReadonlyMap<RateCategory, number>;
}

interface Price {
  /** The cost of the field itself. */
  readonly own: number;
  /** The cost of its selection. */
  readonly inner: number;
}

/**
 * Pothos's complexity of a field: points, or points and a multiplier of its selection, or a function of the arguments.
 */
type Complexity = number | { readonly field?: number; readonly multiplier?: number };
type ComplexityOption = Complexity | ((args: object, context: object, field: unknown) => Complexity);

const DEFAULT_POINTS = 1;
const LIST_MULTIPLIER = 10;

/**
 * Surveys one operation of a valid document. Each selection set is read once, and each fragment once within it, as in
 * an execution. An operation whose cost depends on no argument is priced once; any other at each `bill`.
 */
export function surveyOf(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Survey {
  const fragments = fragmentsOf(document);
  const root = schema.getRootType(operation.operation);
  if (!root) throw new GraphQLError(`The schema has no ${operation.operation}`);
  const fields = fieldsIn(schema, fragments, operation.selectionSet, root);
  const known = new Map<SelectionSetNode, readonly Selected[]>();
  const fieldsOf = (set: SelectionSetNode, type: GraphQLNamedType) => {
    const found = known.get(set) ?? fieldsIn(schema, fragments, set, type);
    known.set(set, found);
    return found;
  };

  function makeBill(variables: Record<string, unknown>, context: object): Bill & { readonly fixed: boolean } {
    const pricing = createPricing(schema, fieldsOf, () => coerced(schema, operation, variables), context);
    const parts: Part[] = [];
    let points = 0;
    for (const selected of fields) {
      const { own, inner } = pricing.of(selected);
      points += own + inner;
      if (!selected.field) continue;
      const category = rateOf(selected.field, operation.operation);
      if (operation.operation === 'mutation') parts.push({ category, own: 1, inner });
      else parts.push({ category, own: null, inner: own + inner });
    }
    return { points, countsAt: countsOf(parts), fixed: pricing.isFixed() };
  }

  let fixedBill: Bill | null = null;
  return {
    rootFields: fields.map(({ node }) => node.name.value),
    bill(variables, context) {
      if (fixedBill) return fixedBill;
      const made = makeBill(variables, context);
      if (made.fixed) fixedBill = made;
      return made;
    },
  };
}

/** A root field as it is counted: a mutation as one request and its selection as reads, any other by all its points. */
interface Part {
  readonly category: RateCategory;
  readonly own: 1 | null;
  readonly inner: number;
}

function countsOf(parts: readonly Part[]): Bill['countsAt'] {
  const known = new Map<number, ReadonlyMap<RateCategory, number>>();
  return (pointsPerRequest) => {
    const found = known.get(pointsPerRequest) ?? countParts(parts, pointsPerRequest);
    known.set(pointsPerRequest, found);
    return found;
  };
}

function countParts(parts: readonly Part[], pointsPerRequest: number): ReadonlyMap<RateCategory, number> {
  const counts = new Map<RateCategory, number>();
  const count = (category: RateCategory, more: number) => {
    if (more > 0) counts.set(category, (counts.get(category) ?? 0) + more);
  };
  for (const { category, own, inner } of parts) {
    if (own === null) count(category, Math.ceil(inner / pointsPerRequest));
    else {
      count(category, own);
      count('reads', Math.floor(inner / pointsPerRequest));
    }
  }
  // An operation that selects only `__typename` counts too.
  return counts.size > 0 ? counts : new Map([['reads', 1]]);
}

/** A selected field with its type. `field` is null for `__typename`. */
interface Selected {
  readonly node: FieldNode;
  readonly parent: GraphQLNamedType;
  readonly field: GraphQLField<unknown, unknown> | null;
}

/** The fields of a selection set, with fragments expanded, each fragment once. */
function fieldsIn(
  schema: GraphQLSchema,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  set: SelectionSetNode,
  type: GraphQLNamedType,
): readonly Selected[] {
  const found: Selected[] = [];
  const visited = new Set<string>();
  const narrowed = (condition: string | undefined, outer: GraphQLNamedType) =>
    (condition === undefined ? null : schema.getType(condition)) ?? outer;
  const walk = ({ selections }: SelectionSetNode, parent: GraphQLNamedType): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        found.push({ node: selection, parent, field: fieldOf(parent, selection.name.value) });
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        walk(selection.selectionSet, narrowed(selection.typeCondition?.name.value, parent));
      } else {
        const name = selection.name.value;
        const fragment = fragments.get(name);
        if (!fragment || visited.has(name)) continue;
        visited.add(name);
        walk(fragment.selectionSet, narrowed(fragment.typeCondition.name.value, parent));
      }
    }
  };
  walk(set, type);
  return found;
}

/** The definition of a field, including the two introspection fields; null for `__typename`. */
function fieldOf(type: GraphQLNamedType, name: string): GraphQLField<unknown, unknown> | null {
  if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
  if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  return isObjectType(type) || isInterfaceType(type) ? (type.getFields()[name] ?? null) : null;
}

/** The variables with coercion and defaults applied. Refuses invalid ones with `invalid_input`. */
function coerced(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Record<string, unknown>,
): object {
  const result = getVariableValues(schema, variableDefinitions, variables, { maxErrors: 1 });
  if (result.coerced) return result.coerced;
  throw malformed(result.errors[0]?.message);
}

type FieldsOf = (set: SelectionSetNode, type: GraphQLNamedType) => readonly Selected[];

/**
 * Prices fields for one set of variables. Each field of the text is priced once, even if its fragment is spread
 * repeatedly.
 */
function createPricing(schema: GraphQLSchema, fieldsOf: FieldsOf, readVariables: () => object, context: object) {
  const prices = new Map<FieldNode, Price>();
  let variableValues: object | null = null;
  let fixed = true;

  function complexityOf({ node, field }: Selected): Complexity | undefined {
    const option = field?.extensions.complexity as ComplexityOption | undefined;
    if (typeof option !== 'function' || !field) return option as Complexity | undefined;
    fixed = false;
    variableValues ??= readVariables();
    try {
      const args = getMappedArgumentValues(field, node, context, { variableValues } as never) as object;
      return option(args, context, field);
    } catch (error) {
      throw error instanceof GraphQLError ? malformed(error.message) : error;
    }
  }

  function of(selected: Selected): Price {
    const known = prices.get(selected.node);
    if (known) return known;
    const { node, parent, field } = selected;
    const introspects = parent.name.startsWith('__');
    const complexity = complexityOf(selected);
    const given = typeof complexity === 'number' ? { field: complexity } : complexity;
    const own = given?.field ?? (introspects ? POINTS_PER_ENTRY : DEFAULT_POINTS);
    const multiplier =
      given?.multiplier ??
      (field ? introspectionMultiplier(schema, parent.name, field.name) : null) ??
      (field && isList(field.type) ? LIST_MULTIPLIER : 1);
    let inner = 0;
    if (field && node.selectionSet) {
      const type = getNamedType(field.type);
      for (const below of fieldsOf(node.selectionSet, type)) {
        const price = of(below);
        const times = isConnection(type) && !isEntries(below) ? 1 : Math.max(multiplier, 0);
        inner += (price.own + price.inner) * times;
      }
    }
    const price = { own, inner };
    prices.set(node, price);
    return price;
  }

  return { of, isFixed: () => fixed };
}

const isList = (type: unknown): boolean => (isNonNullType(type) ? isList(type.ofType) : isListType(type));

/** By the naming rule of Relay. */
const isConnection = (type: GraphQLNamedType): boolean => type.name.endsWith('Connection');

/** Whether a connection has one value of this field per entry of its page. */
const isEntries = ({ node }: Selected): boolean => node.name.value === 'edges' || node.name.value === 'nodes';
