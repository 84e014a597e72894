import type { components } from './generated/api.d.ts';

/** Every error code of the API. */
export type ApiErrorCode = components['schemas']['Error']['error'];

/**
 * What went wrong: a code of the API, or of the client. `unreachable`: there was no answer. `timeout`: none in time.
 * `invalid_answer`: something else than this API answered. `webhook_invalid`: a request is not from the server.
 */
export type ErrorCode = ApiErrorCode | 'unreachable' | 'timeout' | 'invalid_answer' | 'webhook_invalid';

/** The fields of a refusal, as REST answers them and as GraphQL has them in `extensions`. */
export type Details = Readonly<Partial<Omit<components['schemas']['Error'], 'error' | 'message'>>>;

interface Known {
  readonly code: ErrorCode;
  readonly message: string;
  readonly status?: number | null;
  readonly correlationId?: string | null;
  readonly details?: Details;
  readonly cause?: unknown;
}

/** Every error that the client throws, except the reason of an aborted signal. */
export class QuittanceError extends Error {
  override readonly name = 'QuittanceError';
  /** For programs. A newer server may have codes that this client does not know. */
  readonly code: ErrorCode;
  /** The HTTP status; null without an answer over HTTP. */
  readonly status: number | null;
  /** The input that is wrong, as in `items[0].qty`. */
  readonly field: string | null;
  /** What exactly is missing or wrong, as in `scope_missing`. */
  readonly reason: string | null;
  /** Names the request in the log of the server. */
  readonly correlationId: string | null;
  /** Further fields of the refusal, such as `resetAt` and `resumeAfter`. */
  readonly details: Details;

  constructor({ code, message, status = null, correlationId = null, details = {}, cause }: Known) {
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.field = details.field ?? null;
    this.reason = details.reason ?? null;
    this.correlationId = correlationId;
    this.details = details;
  }
}

/** An error of a GraphQL response. */
export interface GraphqlError {
  readonly message: string;
  readonly extensions?: Details & {
    readonly code?: string;
    readonly correlationId?: string;
    readonly http?: { readonly status?: number };
  };
}

/** A refusal by GraphQL, over any transport. */
export function graphqlRefusal({ message, extensions = {} }: GraphqlError): QuittanceError {
  const { code = 'failed', correlationId, http, ...details } = extensions;
  return new QuittanceError({ code: code as ErrorCode, message, status: http?.status, correlationId, details });
}
