import type { Client } from '@urql/core';
import { type InventoryItemInput, SaveCatalogItem } from '../generated/catalog.ts';
import { words } from '../words.ts';

/** How far the rows are written. */
export interface Progress {
  readonly done: number;
  readonly failed: readonly { readonly sku: string; readonly problem: string }[];
  /** When writing goes on, after the limit of writes in a minute; null while it goes on. */
  readonly waitsUntil: number | null;
}

export const NOT_BEGUN: Progress = { done: 0, failed: [], waitsUntil: null };

interface Limited {
  readonly code?: string;
  readonly resetAt?: number;
}

const until = (at: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.max(0, at - Date.now()));
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Used where the server does not say when it takes further writes. */
const PAUSE_MS = 10_000;

/** Writes items one after the other. Where the server takes no more in a minute, it waits and goes on. */
export async function writeRows(
  client: Client,
  inputs: readonly InventoryItemInput[],
  signal: AbortSignal,
  tell: (progress: Progress) => void,
): Promise<void> {
  let progress = NOT_BEGUN;
  const now = (changes: Partial<Progress>) => {
    progress = { ...progress, ...changes };
    tell(progress);
  };
  for (let at = 0; at < inputs.length && !signal.aborted; ) {
    const input = inputs[at]!;
    const { error } = await client.mutation(SaveCatalogItem, { input }).toPromise();
    const { code, resetAt }: Limited = error?.graphQLErrors[0]?.extensions ?? {};
    if (code === 'rate_limited') {
      const waitsUntil = (resetAt ?? Date.now() + PAUSE_MS) + 50;
      now({ waitsUntil });
      await until(waitsUntil, signal);
      now({ waitsUntil: null });
      continue;
    }
    at += 1;
    const problem = error && (error.graphQLErrors[0]?.message ?? words.unreachable);
    now({ done: at, failed: problem ? [...progress.failed, { sku: input.sku, problem }] : progress.failed });
  }
}
