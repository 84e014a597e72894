import { BaseError } from 'viem';

/**
 * The message of an error, for the log. For errors of the chain client it is the short message: the long one contains
 * the URL of the RPC endpoint, which often includes an API key.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof BaseError) return error.shortMessage;
  return error instanceof Error ? error.message : String(error);
}
