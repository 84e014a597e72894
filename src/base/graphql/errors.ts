import { GraphQLError } from 'graphql';
import { type ErrorCode, errorCatalogue, Refusal, refuse } from '../core/errors.ts';
import type { Settings } from '../platform/deps.ts';
import type { Logger } from '../platform/log/log.ts';
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
    return refuse('invalid_input', 'Texts must not contain NUL characters or lone surrogates', {
      reason: 'characters',
    });
  log.error(
    {
      correlationId,
      fault: fault instanceof Error ? { name: fault.name, message: fault.message, stack: fault.stack } : String(fault),
    },
    'operation failed',
  );
  return new Refusal('failed');
}

/** What the errors of one answer are formatted with. */
export interface ErrorScope {
  readonly log: Logger;
  readonly settings: Pick<Settings, 'baseUrl'>;
  /** Names the answer in the server's log. */
  readonly correlationId: string;
}

/** Formats an error for GraphQL responses: its message, its place in the answer, and `errorExtensions`. */
export function formatError(error: GraphQLError, scope: ErrorScope): GraphQLError {
  const refusal = toRefusal(error, scope.log, scope.correlationId);
  return new GraphQLError(refusal.message, {
    nodes: error.nodes,
    source: error.source,
    positions: error.positions,
    path: error.path,
    // The message of a wrong variable names its place; the refusal's own message may be that of the type alone.
    extensions: errorExtensions(refusal, scope, error.message),
  });
}

/** The path of the page that describes every code, each under the anchor of its name. */
export const ERRORS_PATH = '/docs/errors';

/**
 * The `extensions` of an error in GraphQL: the refusal's own fields, its code, the status that REST answers with it,
 * the correlation id, and the address of the code's description.
 */
export const errorExtensions = (
  refusal: Refusal,
  { settings, correlationId }: Omit<ErrorScope, 'log'>,
  message: string = refusal.message,
): Readonly<Record<string, unknown>> => ({
  ...(refusal.code === 'invalid_input' ? fieldOf(message) : {}),
  ...refusal.extra,
  code: refusal.code,
  http: { status: refusal.status },
  correlationId,
  docs: `${settings.baseUrl}${ERRORS_PATH}#${refusal.code}`,
});

/** How graphql-js and the compiler name the variable that they refuse, and the place inside its value. */
const REFUSED_VARIABLE = /^Variable "\$(\w+)"(?: got invalid value [\s\S]*? at "\w+\.?([^"]*)"; )?/;

/** The field that an error about a variable names: the place inside the variable, or the variable itself. */
function fieldOf(message: string): { field?: string } {
  const [, variable, place] = REFUSED_VARIABLE.exec(message) ?? [];
  return variable === undefined ? {} : { field: place || variable };
}
