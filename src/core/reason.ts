import { BaseError } from 'viem';

/** An error in one sentence for the log. Of the chain client's errors only the short one: the long one quotes the RPC's address, which often holds a key. */
export function reasonOf(error: unknown): string {
  if (error instanceof BaseError) return error.shortMessage;
  return error instanceof Error ? error.message : String(error);
}
