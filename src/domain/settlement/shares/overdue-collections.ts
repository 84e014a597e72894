import { keptBy } from '../../../base/core/kept.ts';
import { isAlertDue } from '../../../base/platform/alert-interval.ts';
import type { Deps } from '../../../base/platform/deps.ts';

/** A collection that has been worth its cost for so long should be done. */
const OVERDUE_MS = 86_400_000;
/** After so long without a look at the chain's addresses, another process collects there. */
const FORGOTTEN_MS = 600_000;

type OverdueDeps = Pick<Deps, 'chain' | 'clock' | 'log'>;

/** The items of a chain, addresses with a token, that are worth their cost since a time; and the last look at them. */
const worthOn = keptBy('collections that are due', (_chain: Deps['chain']) => ({
  since: new Map<string, number>(),
  lookedAt: 0,
}));

/** Records which of the judged items are worth their cost now. Raises `collection_overdue`, at most once an hour. */
export function noteWorth({ chain, clock, log }: OverdueDeps, judged: readonly string[], worthy: readonly string[]) {
  const { since } = worthOn(chain);
  const now = clock();
  for (const item of judged) if (!worthy.includes(item)) since.delete(item);
  for (const item of worthy) since.set(item, since.get(item) ?? now);
  const overdue = worthy.filter((item) => now - since.get(item)! > OVERDUE_MS);
  if (overdue.length === 0 || !isAlertDue(log, `collection_overdue ${chain.chainId}`)) return;
  const fields = { alert: 'collection_overdue', chainId: chain.chainId, addresses: overdue.length, first: overdue[0] };
  log.error(fields, 'money is not collected although it is worth its cost');
}

/** Forgets the items that a look at all addresses of the chain has not found. */
export function keepFound({ chain, clock }: OverdueDeps, isFound: (item: string) => boolean): void {
  const worth = worthOn(chain);
  worth.lookedAt = clock();
  for (const item of worth.since.keys()) if (!isFound(item)) worth.since.delete(item);
}

/** The addresses that this process should have collected from for longer than a day. */
export function countOverdue({ chain, clock }: Omit<OverdueDeps, 'log'>): number {
  const { since, lookedAt } = worthOn(chain);
  const now = clock();
  if (now - lookedAt > FORGOTTEN_MS) return 0;
  return [...since.values()].filter((at) => now - at > OVERDUE_MS).length;
}
