import { createRequest, type DocumentInput, stringifyDocument } from '@urql/core';

/** A query as a client sends it. */
export interface Sent {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

interface AnswerError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: { readonly code?: string; readonly resetAt?: number };
}

/** The answer of the server to one document. */
export interface Answer {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly AnswerError[];
}

/** Several queries as one document, and the part of its answer that belongs to each of them. */
export interface Merged extends Sent {
  split(answer: Answer): Answer[];
}

interface Node {
  readonly kind: string;
  readonly name?: { readonly value: string };
  readonly [key: string]: unknown;
}

interface OperationNode extends Node {
  readonly operation: string;
  readonly variableDefinitions?: readonly Node[];
  readonly selectionSet: { readonly selections: readonly Node[] };
}

const definitionsOf = (query: string) =>
  createRequest(query, {}).query.definitions as unknown as readonly (Node | OperationNode)[];

const nameOf = (value: string) => ({ kind: 'Name', value });

/** The names that an operation has of its own: with the number of its place, so that no two operations share one. */
const OWN = new Set(['Variable', 'FragmentSpread', 'FragmentDefinition']);

/** A part of a document with the operation's own names. */
function renamed(node: unknown, place: number): unknown {
  if (Array.isArray(node)) return node.map((one) => renamed(one, place));
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, key === 'loc' ? undefined : renamed(value, place)]),
  ) as Node;
  return OWN.has(copy.kind) ? { ...copy, name: nameOf(`${copy.name!.value}_${place}`) } : copy;
}

/** A field of an operation: how its own answer names it, and how the answer to the document does. */
interface Place {
  readonly own: string;
  readonly shared: string;
}

/**
 * Writes several queries as one document. Each keeps its variables and fragments under names of its own, and fields of
 * one name get an alias.
 */
export function mergeQueries(sent: readonly Sent[]): Merged {
  const taken = new Set<string>();
  const variables: Record<string, unknown> = {};
  const variableDefinitions: unknown[] = [];
  const selections: Node[] = [];
  const fragments: unknown[] = [];
  const places = sent.map((one, n): Place[] => {
    const definitions = renamed(definitionsOf(one.query), n) as (Node | OperationNode)[];
    const operation = definitions.find((each): each is OperationNode => each.kind === 'OperationDefinition')!;
    fragments.push(...definitions.filter((each) => each !== operation));
    variableDefinitions.push(...(operation.variableDefinitions ?? []));
    for (const [name, value] of Object.entries(one.variables)) variables[`${name}_${n}`] = value;
    return operation.selectionSet.selections.map((field) => {
      const own = (field.alias as Node['name'] | undefined)?.value ?? field.name!.value;
      const shared = taken.has(own) ? `${own}_${n}` : own;
      taken.add(shared);
      selections.push(shared === own ? field : { ...field, alias: nameOf(shared) });
      return { own, shared };
    });
  });
  const operation = {
    kind: 'OperationDefinition',
    operation: 'query',
    variableDefinitions,
    selectionSet: { kind: 'SelectionSet', selections },
  };
  const document = { kind: 'Document', definitions: [operation, ...fragments] } as unknown as DocumentInput;
  return {
    query: stringifyDocument(document as never),
    variables,
    split: ({ data, errors = [] }) =>
      places.map((fields) => {
        const own = errors.flatMap((error): AnswerError[] => {
          if (error.path === undefined) return [error];
          const field = fields.find(({ shared }) => shared === error.path![0]);
          return field ? [{ ...error, path: [field.own, ...error.path.slice(1)] }] : [];
        });
        return {
          data: data ? Object.fromEntries(fields.map(({ own: key, shared }) => [key, data[shared]])) : null,
          ...(own.length > 0 && { errors: own }),
        };
      }),
  };
}
