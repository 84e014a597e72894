import { LockMode } from '@mikro-orm/core';
import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { notify } from '../platform/pg-notifications.ts';
import { inTransaction, type UnitOfWork } from '../platform/unit-of-work.ts';
import { ApiKey } from './api-key.entity.ts';
import { forgetKeys, KEYS_CHANNEL } from './find.ts';

/** Which key; with `merchant`, only where it is that merchant's. */
export interface KeyChoice {
  readonly id: string;
  readonly merchant?: Wallet;
}

/**
 * Ends a key: it opens no door any more, in any process, and still signs for the receipts it made. Again is success and changes nothing.
 *
 * Errors: `not_found`.
 */
export async function revokeKey(
  deps: Pick<Deps, 'orm' | 'sql' | 'clock'>,
  choice: KeyChoice,
): Promise<{ id: string; revokedAt: number }> {
  return inTransaction(deps, async (uow) => {
    const key = await lockKey(uow, choice);
    return { id: key.id, revokedAt: key.revokedAt ?? (await endKey(deps, uow, key)) };
  });
}

/** The key's row, locked until the unit of work ends. Refuses with `not_found`. */
export async function lockKey(uow: UnitOfWork, { id, merchant }: KeyChoice): Promise<ApiKey> {
  const key = await uow.em.findOne(ApiKey, merchant === undefined ? { id } : { id, merchant }, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
  });
  if (!key) throw refuse('not_found', 'No such key');
  return key;
}

/** Marks a locked key revoked, and tells every process. Answers when. */
export async function endKey(deps: Pick<Deps, 'sql' | 'clock'>, uow: UnitOfWork, key: ApiKey): Promise<number> {
  const now = deps.clock();
  key.revokedAt = now;
  await uow.em.flush();
  await notify(uow, KEYS_CHANNEL, key.digest);
  // This process does not wait to hear its own announcement.
  uow.afterCommit(() => forgetKeys(deps)(key.digest));
  return now;
}
