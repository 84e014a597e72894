import { words } from '../shared/words.ts';

const { troubles } = words.webhooks;

/** What stands in the error of an attempt, with what it means. The first that fits says it. */
const TROUBLES: readonly (readonly [RegExp, string])[] = [
  [/^refused: /, troubles.notPublic],
  [/signing key/, troubles.unsigned],
  [/the endpoint (was deleted|is disabled)/, troubles.gone],
  [/ENOTFOUND|EAI_AGAIN|name lookup/, troubles.unknown],
  [/ECONNREFUSED/, troubles.refused],
  [/certificate|CERT|altnames|SSL|TLS/i, troubles.certificate],
  [/timeout|timed out|ETIMEDOUT/i, troubles.slow],
  [/ECONNRESET|EPIPE|closed|aborted|hang up/i, troubles.closed],
  [/EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL/, troubles.unreachable],
];

/** How an attempt ended. */
interface Ended {
  readonly statusCode: number | null;
  readonly error: string | null;
}

/** Why a receiver did not accept an attempt, in words; null if it did. */
export function troubleOf({ statusCode, error }: Ended): string | null {
  if (error !== null) return TROUBLES.find(([pattern]) => pattern.test(error))?.[1] ?? troubles.other;
  if (statusCode === null) return troubles.other;
  return statusCode >= 200 && statusCode < 300 ? null : words.webhooks.refusedIt({ status: statusCode });
}
