import { Refusal } from '../../core/errors.ts';
import type { Route } from '../route.ts';
import { type JsonSchema, objectOf, orNull } from './json-schema.ts';
import type { Nullable, Selected } from './selection.ts';

/*
 * What a route answers is drawn by its own envelope: the function is called with stand-ins for the values of its operation, once with everything there
 * and once for each value that may be null or false. Where a stand-in comes out is where its schema stands; what is not always there is optional.
 */

const SCHEMA = Symbol('schema');
const MISSING = Symbol('missing');

interface StandIn {
  readonly [SCHEMA]: JsonSchema;
}

/** A stand-in for a value. Its schema cannot be spread along with its fields: what is rearranged is drawn anew. */
const standIn = (value: object, schema: JsonSchema): unknown => Object.defineProperty(value, SCHEMA, { value: schema });

/** Which of the values that may be absent is absent; each is counted as it is passed. */
interface Draft {
  readonly absent: number;
  passed: number;
}

/** Stand-ins for a selection, with one of its values absent: the schema without null at `absent` -1. */
function standInFor({ selected, nullable }: Nullable, draft: Draft): unknown {
  const mayBeAbsent = nullable || (selected.kind === 'value' && selected.boolean);
  if (mayBeAbsent && draft.passed++ === draft.absent) return nullable ? null : false;
  return standInOf(selected, draft);
}

function standInOf(selected: Selected, draft: Draft): unknown {
  if (selected.kind === 'value') return standIn({}, selected.schema);
  if (selected.kind === 'list') return standIn([standInFor(selected.item, draft)], selected.schema);
  return standIn(standInsFor(selected.fields, draft), selected.schema);
}

const standInsFor = (fields: ReadonlyMap<string, Nullable>, draft: Draft): Record<string, unknown> =>
  Object.fromEntries([...fields].map(([name, field]) => [name, standInFor(field, draft)]));

/** The status and the body that a route answers with where all goes well. */
export function drawAnswer(
  { method, path, answer }: Pick<Route, 'method' | 'path' | 'answer'>,
  fields: ReadonlyMap<string, Nullable>,
): { status: number; body: JsonSchema } {
  const draw = (absent: number) => {
    const draft: Draft = { absent, passed: 0 };
    return { drawn: answer(standInsFor(fields, draft) as never), choices: draft.passed };
  };
  try {
    const { drawn, choices } = draw(-1);
    const bodies = [drawn.body];
    for (let absent = 0; absent < choices; absent++) {
      try {
        bodies.push(draw(absent).drawn.body);
      } catch (error) {
        // Absent, it is refused.
        if (!(error instanceof Refusal)) throw error;
      }
    }
    return { status: drawn.status ?? 200, body: shapeOf(bodies) };
  } catch (error) {
    throw new Error(`${method} ${path}: the answer can only arrange values, the domain computes them`, {
      cause: error,
    });
  }
}

/** The schema that all of these fit, as they stood at one place. */
function shapeOf(seen: readonly unknown[]): JsonSchema {
  const there = seen.filter((value) => value !== MISSING);
  const values = there.filter((value) => value !== null);
  const schema = shapeOfValues(values, values.length < seen.length);
  return values.length < there.length ? orNull(schema) : schema;
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
    // What only shows while it is true.
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
  return objectOf(Object.fromEntries(properties), required);
}
