import type { Client } from '@urql/core';
import { askPatiently, type Wait } from '../client/patient.ts';
import { answerText, refusalText } from '../client/problem.ts';
import { type InventoryItemInput, SaveCatalogItems, type SaveCatalogItemsMutation } from '../generated/catalog.ts';

/** How far the rows are written. */
export interface Progress {
  readonly done: number;
  readonly failed: readonly { readonly sku: string; readonly problem: string }[];
  /** What writing waits for; null while it goes on. */
  readonly wait: Wait | null;
}

export const NOT_BEGUN: Progress = { done: 0, failed: [], wait: null };

/** The most products of a request, and the most characters, so that no request is too large. */
const MAX_ITEMS = 100;
const MAX_CHARACTERS = 250_000;

/** The products of each request. */
export function batchesOf(inputs: readonly InventoryItemInput[]): InventoryItemInput[][] {
  const batches: InventoryItemInput[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const input of inputs) {
    const { length } = JSON.stringify(input);
    if (size + length > MAX_CHARACTERS || batches.at(-1)!.length === MAX_ITEMS) {
      batches.push([]);
      size = 0;
    }
    batches.at(-1)!.push(input);
    size += length;
  }
  return batches;
}

/** The whole minutes that the limit of the server makes writing take at least. */
export const minutesOf = (inputs: readonly InventoryItemInput[], batchesPerMinute: number | null): number =>
  batchesPerMinute === null ? 0 : Math.floor(Math.max(0, batchesOf(inputs).length - 1) / batchesPerMinute);

/**
 * Writes products, many with each request. Where the server takes no more in a minute, or is not reached, it waits and
 * goes on with the same ones: a request whose answer was lost changes nothing when it comes again.
 */
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
  const patience = { signal, onWait: (wait: Wait | null) => now({ wait }) };
  for (const input of batchesOf(inputs)) {
    const { data, error } = await askPatiently(patience, () =>
      client.mutation<SaveCatalogItemsMutation>(SaveCatalogItems as string, { input }).toPromise(),
    );
    if (signal.aborted) return;
    const failed = data?.saveInventoryItems
      ? data.saveInventoryItems.flatMap(({ sku, error: code, message, field }) =>
          code === null ? [] : [{ sku, problem: refusalText(code, message ?? '', { field: field ?? undefined }) }],
        )
      : input.map(({ sku }) => ({ sku, problem: answerText(error) }));
    now({ done: progress.done + input.length, failed: [...progress.failed, ...failed] });
  }
}
