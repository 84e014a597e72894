import {
  type DocumentNode,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  parse,
  type SelectionSetNode,
} from 'graphql';
import { schema } from './graphql-requests.ts';

/** The values of each scalar, as the schema describes them. */
const SCALARS: Readonly<Record<string, (value: unknown) => boolean>> = {
  ID: (value) => typeof value === 'string',
  String: (value) => typeof value === 'string',
  Boolean: (value) => typeof value === 'boolean',
  Int: (value) => Number.isInteger(value) && Math.abs(value as number) < 2 ** 31,
  Float: Number.isFinite,
  SafeInt: Number.isSafeInteger,
  Millis: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  Usd: (value) => typeof value === 'number' && Math.round(value * 100) / 100 === value,
  BaseUnits: (value) => typeof value === 'string' && /^-?\d+$/.test(value),
  Hex: (value) => typeof value === 'string' && /^0x[0-9a-f]*$/.test(value),
  Wallet: (value) => typeof value === 'string' && /^0x[0-9a-f]{40}$/.test(value),
  JSON: () => true,
};

interface Answered {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: unknown;
}

/**
 * What an answer to a document has that the schema does not allow: a missing or further field, null where there must be
 * a value, or a value of another type. A document that cannot be read has no data.
 */
export function answerFaults(query: string, { data, errors }: Answered): string[] {
  if (!data) return data === undefined || errors !== undefined ? [] : ['no data and no errors'];
  const document = parse(query);
  const [operation, ...others] = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (operation?.kind !== Kind.OPERATION_DEFINITION || others.length > 0) return [];
  return objectFaults(document, schema.getRootType(operation.operation)!, [operation.selectionSet], data, 'data');
}

function objectFaults(
  document: DocumentNode,
  type: GraphQLObjectType,
  selections: readonly SelectionSetNode[],
  value: Readonly<Record<string, unknown>>,
  place: string,
): string[] {
  const asked = new Map<string, FieldNode[]>();
  for (const set of selections) collect(document, type, set, asked);
  const faults = Object.keys(value)
    .filter((name) => !asked.has(name))
    .map((name) => `${place}.${name} was not asked for`);
  for (const [name, fields] of asked) {
    const field = fields[0]!;
    if (field.name.value.startsWith('__')) continue;
    const isConditional = field.directives !== undefined && field.directives.length > 0;
    if (!(name in value)) {
      if (!isConditional) faults.push(`${place}.${name} is missing`);
      continue;
    }
    const inner = fields.flatMap(({ selectionSet }) => selectionSet ?? []);
    const fieldType = type.getFields()[field.name.value]!.type;
    faults.push(...valueFaults(document, fieldType, inner, value[name], `${place}.${name}`));
  }
  return faults;
}

/** The fields that a selection asks of an object of this type, by the names that they have in the answer. */
function collect(
  document: DocumentNode,
  type: GraphQLObjectType,
  set: SelectionSetNode,
  into: Map<string, FieldNode[]>,
): void {
  const fits = (condition: string | undefined) => {
    const on = condition === undefined ? type : schema.getType(condition);
    return on === type || (on !== undefined && 'getTypes' in on) || type.getInterfaces().some((one) => one === on);
  };
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) {
      const name = selection.alias?.value ?? selection.name.value;
      into.set(name, [...(into.get(name) ?? []), selection]);
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      if (fits(selection.typeCondition?.name.value)) collect(document, type, selection.selectionSet, into);
    } else {
      const wanted = selection.name.value;
      const found = document.definitions.find(
        (one) => one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === wanted,
      );
      if (found?.kind === Kind.FRAGMENT_DEFINITION && fits(found.typeCondition.name.value))
        collect(document, type, found.selectionSet, into);
    }
  }
}

function valueFaults(
  document: DocumentNode,
  type: GraphQLOutputType,
  selections: readonly SelectionSetNode[],
  value: unknown,
  place: string,
): string[] {
  if (isNonNullType(type))
    return value === null
      ? [`${place} is null and must not be`]
      : valueFaults(document, type.ofType, selections, value, place);
  if (value === null) return [];
  if (isListType(type))
    return Array.isArray(value)
      ? value.flatMap((one, i) => valueFaults(document, type.ofType, selections, one, `${place}[${i}]`))
      : [`${place} is not a list`];
  if (isLeafType(type)) {
    const isRight = isEnumType(type) ? type.getValue(String(value)) !== undefined : SCALARS[type.name]?.(value);
    return isRight ? [] : [`${place} is ${JSON.stringify(value)}, which is no ${type.name}`];
  }
  if (typeof value !== 'object' || Array.isArray(value)) return [`${place} is not an object`];
  const record = value as Readonly<Record<string, unknown>>;
  // Every generated document asks for the name of the type; a spoiled one may not.
  const named = typeof record.__typename === 'string' ? schema.getType(record.__typename) : getNamedType(type);
  return isObjectType(named) ? objectFaults(document, named, selections, record, place) : [];
}
