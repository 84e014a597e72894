import { Refusal } from '../../../base/core/errors.ts';
import type { Route } from '../routes/route.ts';
import {
  described,
  type JsonSchema,
  type Nullable,
  nameAs,
  type Owner,
  objectOf,
  orNull,
  type Selected,
} from './json-schema.ts';

/*
 * Derives the schema of a response from the route's own envelope function. The function is called with placeholders for
 * the values of its operation: once with all values, once per value that may be null or false, and once without any of
 * these. The schema of a placeholder is used where the placeholder appears in the result. Fields that are not always
 * present are optional. An object that has the fields of one record, and nothing else, has the record's name.
 */

const SCHEMA = Symbol('schema');
const OWNER = Symbol('owner');
const MISSING = Symbol('missing');

interface StandIn {
  readonly [SCHEMA]: JsonSchema;
  readonly [OWNER]?: Owner;
}

/**
 * A placeholder for a value. Its schema is not copied when its fields are spread; rearranged objects are described
 * field by field.
 */
const standIn = (value: object, schema: JsonSchema, owner: Owner | undefined): unknown =>
  Object.defineProperties(value, { [SCHEMA]: { value: schema }, [OWNER]: { value: owner } });

/** The index of the absent value, `none` or `all`; each optional value is counted as it is passed. */
interface Draft {
  readonly absent: number | 'none' | 'all';
  passed: number;
}

/**
 * Placeholders for a selection with one of its values absent. If nothing is absent, the schema has no null.
 */
function standInFor({ selected, nullable, owner }: Nullable, draft: Draft): unknown {
  const mayBeAbsent = nullable || (selected.kind === 'value' && selected.boolean);
  if (mayBeAbsent && (draft.passed++ === draft.absent || draft.absent === 'all')) return nullable ? null : false;
  return standInOf(selected, owner, draft);
}

function standInOf(selected: Selected, owner: Owner | undefined, draft: Draft): unknown {
  if (selected.kind === 'value') return standIn({}, selected.schema, owner);
  if (selected.kind === 'list') return standIn([standInFor(selected.item, draft)], selected.schema, owner);
  return standIn(standInsFor(selected.fields, draft), selected.schema, owner);
}

const standInsFor = (fields: ReadonlyMap<string, Nullable>, draft: Draft): Record<string, unknown> =>
  Object.fromEntries([...fields].map(([name, field]) => [name, standInFor(field, draft)]));

/** The status and the body schema of a route's success response. */
export function drawAnswer(
  { method, path, answer }: Pick<Route, 'method' | 'path' | 'answer'>,
  fields: ReadonlyMap<string, Nullable>,
): { status: number; body: JsonSchema } {
  const draw = (absent: Draft['absent']) => {
    const draft: Draft = { absent, passed: 0 };
    return { drawn: answer(standInsFor(fields, draft) as never), choices: draft.passed };
  };
  try {
    const { drawn, choices } = draw('none');
    const bodies = [drawn.body];
    for (const absent of [...Array(choices).keys(), 'all' as const]) {
      try {
        bodies.push(draw(absent).drawn.body);
      } catch (error) {
        // The route refuses if this value is absent.
        if (!(error instanceof Refusal)) throw error;
      }
    }
    return { status: drawn.status ?? 200, body: shapeOf(bodies) };
  } catch (error) {
    throw new Error(`${method} ${path}: the envelope must only arrange values; compute them in the domain`, {
      cause: error,
    });
  }
}

/** The schema that covers all values seen at one place. */
function shapeOf(seen: readonly unknown[]): JsonSchema {
  const there = seen.filter((value) => value !== MISSING);
  const values = there.filter((value) => value !== null);
  const schema = shapeOfValues(values, values.length < seen.length);
  if (values.length < there.length) return orNull(schema);
  return there.length < seen.length ? absentNotNull(schema) : schema;
}

/** The schema of a field that the envelope omits where it is null in GraphQL. */
function absentNotNull(schema: JsonSchema): JsonSchema {
  const { description } = schema;
  if (typeof description !== 'string') return schema;
  return { ...schema, description: description.replace(/\bnull\b/g, 'absent').replace(/\bNull\b/g, 'Absent') };
}

function shapeOfValues(values: readonly unknown[], sometimesAbsent: boolean): JsonSchema {
  const drawn = values.filter(isStandIn).map((value) => value[SCHEMA]);
  const rest = values.filter((value) => !isStandIn(value));
  const literals = new Set(rest.filter((value) => typeof value !== 'object'));
  const lists = rest.filter(Array.isArray);
  const objects = rest.filter((value) => typeof value === 'object' && !Array.isArray(value)) as object[];
  const schemas = new Map(drawn.map((schema) => [JSON.stringify(schema), schema]));
  const [first] = schemas.values();
  if (first?.type === 'boolean') {
    // The value only appears while it is true.
    if (sometimesAbsent && !literals.has(false)) schemas.set(JSON.stringify(first), { ...first, const: true });
    literals.delete(false);
  }
  const all = [
    ...schemas.values(),
    ...(literals.size > 0 ? [literalsOf([...literals])] : []),
    ...(lists.length > 0 ? [{ type: 'array', items: shapeOf(lists.flat()) }] : []),
    ...(objects.length > 0 ? [shapeOfObjects(objects)] : []),
  ];
  return all.length === 1 ? (all[0] as JsonSchema) : { anyOf: all };
}

const isStandIn = (value: unknown): value is StandIn => typeof value === 'object' && value !== null && SCHEMA in value;

const literalsOf = (values: readonly unknown[]): JsonSchema => ({
  type: typeof values[0],
  ...(values.length === 1 ? { const: values[0] } : { enum: values }),
});

function shapeOfObjects(objects: readonly object[]): JsonSchema {
  const names = [...new Set(objects.flatMap((one) => Object.keys(one)))];
  const at = (one: object, name: string): unknown => (name in one ? (one as Record<string, unknown>)[name] : MISSING);
  const properties = names.map((name) => [name, shapeOf(objects.map((one) => at(one, name)))] as const);
  const required = names.filter((name) => objects.every((one) => name in one));
  const shape = objectOf(Object.fromEntries(properties), required);
  const record = recordOf(objects);
  return record ? nameAs(record.name, described(shape, record.about)) : shape;
}

/** The record whose fields an object has, renamed or rearranged. A single field does not make a record. */
function recordOf(objects: readonly object[]): Owner | undefined {
  const values = objects.flatMap((one): unknown[] => Object.values(one));
  const fields = values.filter(isStandIn);
  const owners = new Map(fields.map((field) => [field[OWNER]?.name, field[OWNER]]));
  const [first = {}] = objects;
  // A text, a number or `true` is of the envelope, not of a record.
  const isOwn = values.every((value) => typeof value === 'object' || value === false);
  return isOwn && owners.size === 1 && Object.values(first).filter(isStandIn).length > 1
    ? fields[0]?.[OWNER]
    : undefined;
}
