import { z } from 'zod';
import type { Caller } from '../../../base/core/caller.ts';
import { type ErrorCode, errorCatalogue } from '../../../base/core/errors.ts';
import { newUuid } from '../../../base/core/ids.ts';
import { parseJson } from '../../../base/core/json.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { KEPT_MS } from '../../../base/platform/recent-lists.ts';
import { readKeyLabels } from '../keys/list.ts';

/** What is stored of a failed request: nothing that its client wrote, except the name of a field. */
const stored = z.object({
  id: z.string(),
  /** When it was answered, epoch milliseconds. */
  at: z.number(),
  /** The method and the pattern of the route (`POST /api/orders`), or the type and the root fields (`query keys`). */
  operation: z.string(),
  status: z.number(),
  code: z.enum(Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]]),
  field: z.string().nullable(),
  correlationId: z.string(),
  /** The key that sent it; null: a session. */
  keyId: z.string().nullable(),
});

type StoredRequest = z.infer<typeof stored>;

/** A failed request of a merchant's key or session. */
export interface FailedRequest extends StoredRequest {
  readonly keyLabel: string | null;
}

/** What the server knows of a request that failed. */
export type Failure = Pick<StoredRequest, 'operation' | 'status' | 'code' | 'correlationId'> & {
  readonly field: unknown;
};

/** A field's name is given by the client where the name itself is wrong. */
const FIELD_MAX = 100;

const listOf = (merchant: Wallet) => `failed-requests:${merchant}`;

/** The merchant whose key or session a caller is; null for any other caller. */
export const answerableMerchant = (caller: Caller): Wallet | null =>
  caller.kind === 'developer' || caller.kind === 'session' ? caller.merchant : null;

/**
 * Adds a request that failed to the list of its merchant. Does nothing for callers other than keys and sessions of a
 * merchant. Returns at once.
 */
export function storeFailedRequest(
  { recentLists, clock }: Pick<Deps, 'recentLists' | 'clock'>,
  caller: Caller,
  { field, ...failure }: Failure,
): void {
  const merchant = answerableMerchant(caller);
  if (merchant === null) return;
  const entry: StoredRequest = {
    ...failure,
    id: newUuid(),
    at: clock(),
    field: typeof field === 'string' ? field.slice(0, FIELD_MAX) : null,
    keyId: caller.kind === 'developer' ? caller.keyId : null,
  };
  recentLists.add(listOf(merchant), JSON.stringify(entry));
}

/** The latest failed requests of a merchant's keys and sessions, the newest first. */
export async function readFailedRequests(
  deps: Pick<Deps, 'db' | 'recentLists' | 'clock'>,
  merchant: Wallet,
): Promise<FailedRequest[]> {
  const entries = await deps.recentLists.read(listOf(merchant));
  const since = deps.clock() - KEPT_MS;
  const requests = entries.flatMap((entry) => {
    // A server of another version may have written it.
    const { success, data } = stored.safeParse(parseJson(entry));
    return success && data.at >= since ? [data] : [];
  });
  // Entries of this process are not in order with those of Redis.
  requests.sort((a, b) => b.at - a.at);
  const ids = [...new Set(requests.flatMap(({ keyId }) => keyId ?? []))];
  const labels = ids.length === 0 ? new Map<string, string | null>() : await readKeyLabels(deps.db, merchant, ids);
  return requests.map((request) => ({ ...request, keyLabel: labels.get(request.keyId ?? '') ?? null }));
}
