import { GraphQLError } from 'graphql';
import { type ErrorCode, errorCatalogue, Refusal } from '../core/errors.ts';
import type { Logger } from '../platform/log.ts';
import { codeOf } from '../platform/unit-of-work.ts';

/** The refusal inside a GraphQL error, however deep the layers between have wrapped it; null for a fault or GraphQL's own. */
function refusalIn(error: unknown): Refusal | null {
  for (let inner = error; inner instanceof Error; inner = (inner as GraphQLError).originalError ?? inner.cause) {
    if (inner instanceof Refusal) return inner;
  }
  return null;
}

/** PostgreSQL's errors for text that it cannot keep: the caller sent it, wherever it went on to. */
const UNSTORABLE = new Set(['22021', '22P05']);

/** The code of GraphQL's own errors: what the text or the variables got wrong. */
function ownCode(error: GraphQLError): ErrorCode {
  const given = error.extensions?.code;
  return typeof given === 'string' && given in errorCatalogue ? (given as ErrorCode) : 'invalid_input';
}

/**
 * Every error that leaves an execution, as `Refusal`: the same code, sentence and extra fields at both doors. A fault is logged whole and shows only as
 * `failed`.
 */
export function toRefusal(error: unknown, log: Logger): Refusal {
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
      fault: fault instanceof Error ? { name: fault.name, message: fault.message, stack: fault.stack } : String(fault),
    },
    'fault',
  );
  return new Refusal('failed');
}

/** A GraphQL error as the GraphQL door answers it: the contract's code stands in `extensions.code`. */
export function formatError(error: GraphQLError, log: Logger): GraphQLError {
  const refusal = toRefusal(error, log);
  return new GraphQLError(refusal.message, {
    nodes: error.nodes,
    source: error.source,
    positions: error.positions,
    path: error.path,
    extensions: { ...refusal.extra, code: refusal.code },
  });
}
