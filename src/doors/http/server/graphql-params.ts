import type { FastifyRequest } from 'fastify';
import { parseSent } from '../../../base/core/json.ts';

/** The name of a document that the server may have: an id, or the hash of an automatic persisted query. */
export type Named = { readonly documentId: string } | { readonly hash: string };

/** The parameters of a GraphQL request. It sends a document, names one, or both to register it. */
export interface Params {
  readonly query: string | null;
  readonly named: Named | null;
  readonly operationName: string | null;
  readonly variables: Record<string, unknown>;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The parameters of a request, from its body or its URL; null if they are malformed. A list (a batch) is malformed. */
export function readParams(request: FastifyRequest): Params | null {
  const given = request.method === 'POST' ? request.body : fromUrl(request.query as Record<string, unknown>);
  if (!isObject(given)) return null;
  const { query, documentId, operationName = null, variables, extensions } = given;
  if (operationName !== null && typeof operationName !== 'string') return null;
  if (variables != null && !isObject(variables)) return null;
  if (extensions != null && !isObject(extensions)) return null;
  const named = nameIn(documentId, extensions);
  if (named === undefined || (typeof query !== 'string' && (query != null || named === null))) return null;
  return { query: textOf(query, named), named, operationName, variables: variables ?? {} };
}

/** An empty query beside a name counts as none: clients of websockets must send one. */
export const textOf = (query: unknown, named: Named | null): string | null =>
  typeof query === 'string' && (query !== '' || named === null) ? query : null;

const VERSION = 1;
const HASH = /^[0-9a-f]{64}$/;

/** The name of a document in a request; null if there is none, undefined if it is malformed. */
export function nameIn(documentId: unknown, extensions: Record<string, unknown> | null | undefined) {
  if (documentId != null) return typeof documentId === 'string' ? { documentId } : undefined;
  const persisted = extensions?.persistedQuery;
  if (persisted == null) return null;
  if (!isObject(persisted) || typeof persisted.sha256Hash !== 'string') return undefined;
  return persisted.version === VERSION && HASH.test(persisted.sha256Hash) ? { hash: persisted.sha256Hash } : undefined;
}

/** In a URL, `variables` and `extensions` are JSON. */
function fromUrl({ variables, extensions, ...rest }: Record<string, unknown>): unknown {
  try {
    return { ...rest, variables: jsonIn(variables), extensions: jsonIn(extensions) };
  } catch {
    return null;
  }
}

const jsonIn = (raw: unknown): unknown => (typeof raw === 'string' && raw !== '' ? parseSent(raw) : raw || undefined);
