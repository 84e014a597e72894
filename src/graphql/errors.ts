import { GraphQLError } from 'graphql';
import { type ErrorCode, errorCatalogue, Refusal } from '../core/errors.ts';
import type { Logger } from '../platform/log.ts';
import { codeOf } from '../platform/unit-of-work.ts';

/** The refusal inside a GraphQL error, at any depth of wrapping; null for a fault or an error of graphql-js. */
function refusalIn(error: unknown): Refusal | null {
  for (let inner = error; inner instanceof Error; inner = (inner as GraphQLError).originalError ?? inner.cause) {
    if (inner instanceof Refusal) return inner;
  }
  return null;
}

/** PostgreSQL's error codes for text that it cannot store. The text came from the caller. */
const UNSTORABLE = new Set(['22021', '22P05']);

/** The code of an error of graphql-js: the document or the variables are wrong. */
function ownCode(error: GraphQLError): ErrorCode {
  const given = error.extensions?.code;
  return typeof given === 'string' && given in errorCatalogue ? (given as ErrorCode) : 'invalid_input';
}

/**
 * Converts any error of an execution to a `Refusal`, with the same code, message and extra fields in GraphQL and REST.
 * A fault is logged in full, with the correlation id of its request, and is reported as `failed` only.
 */
export function toRefusal(error: unknown, log: Logger, correlationId?: string): Refusal {
  const refusal = refusalIn(error);
  if (refusal) return refusal;
  if (error instanceof GraphQLError && !error.originalError) return new Refusal(ownCode(error), error.message);
  if (error instanceof GraphQLError && error.originalError instanceof GraphQLError) {
    return new Refusal(ownCode(error.originalError), error.originalError.message);
  }
  const fault = error instanceof GraphQLError ? error.originalError : error;
  if (UNSTORABLE.has(codeOf(fault)))
    return new Refusal('invalid_input', 'Texts must not contain NUL characters or lone surrogates');
  log.error(
    {
      correlationId,
      fault: fault instanceof Error ? { name: fault.name, message: fault.message, stack: fault.stack } : String(fault),
    },
    'operation failed',
  );
  return new Refusal('failed');
}

/** Formats an error for GraphQL responses, with the contract's code in `extensions.code`. */
export function formatError(error: GraphQLError, log: Logger, correlationId?: string): GraphQLError {
  const refusal = toRefusal(error, log, correlationId);
  return new GraphQLError(refusal.message, {
    nodes: error.nodes,
    source: error.source,
    positions: error.positions,
    path: error.path,
    extensions: { ...refusal.extra, code: refusal.code },
  });
}
