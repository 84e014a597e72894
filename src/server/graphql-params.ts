import type { FastifyRequest } from 'fastify';

/** The parameters of a GraphQL request. */
export interface Params {
  readonly query: string;
  readonly operationName: string | null;
  readonly variables: Record<string, unknown>;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The parameters of a request, from its body or its URL; null if they are malformed. A list (a batch) is malformed. */
export function readParams(request: FastifyRequest): Params | null {
  const given = request.method === 'POST' ? request.body : fromUrl(request.query as Record<string, unknown>);
  if (!isObject(given)) return null;
  const { query, operationName = null, variables, extensions } = given;
  if (typeof query !== 'string') return null;
  if (operationName !== null && typeof operationName !== 'string') return null;
  if (variables != null && !isObject(variables)) return null;
  if (extensions != null && !isObject(extensions)) return null;
  return { query, operationName, variables: variables ?? {} };
}

/** In a URL, `variables` is JSON. */
function fromUrl({ variables, ...rest }: Record<string, unknown>): unknown {
  if (typeof variables !== 'string' || variables === '') return rest;
  try {
    return { ...rest, variables: JSON.parse(variables) };
  } catch {
    return null;
  }
}
