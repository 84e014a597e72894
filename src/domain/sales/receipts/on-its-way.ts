import { refuse } from '../../../base/core/errors.ts';
import type { AwaitingReceipt, OnItsWayKind } from '../../../base/core/on-its-way.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';

type AskDeps = Pick<Deps, 'moneyOnItsWay' | 'clock'>;

/** What is on its way to a locked receipt, without what is overdue: each kind once. */
export async function readOnItsWay(
  { moneyOnItsWay, clock }: AskDeps,
  uow: UnitOfWork,
  receipt: AwaitingReceipt,
): Promise<OnItsWayKind[]> {
  const found = await moneyOnItsWay(uow, [receipt], clock());
  return [...new Set(found.filter(({ isOverdue }) => !isOverdue).map(({ kind }) => kind))];
}

/** Refuses with `payment_underway` while a payment of a locked receipt is on its way. */
export async function requireNothingOnItsWay(deps: AskDeps, uow: UnitOfWork, receipt: AwaitingReceipt): Promise<void> {
  const found = await readOnItsWay(deps, uow, receipt);
  if (found.length > 0) throw refuse('payment_underway');
}

/**
 * Whether time may not end a locked receipt, because money is on its way to it. What is overdue counts too: a card that
 * was charged still pays its receipt when it is delivered.
 */
export async function isHeldOpen(
  { moneyOnItsWay, clock }: AskDeps,
  uow: UnitOfWork,
  receipt: AwaitingReceipt,
): Promise<boolean> {
  return (await moneyOnItsWay(uow, [receipt], clock())).length > 0;
}
