import type { Hash } from 'viem';
import { readHead } from '../../../base/chain/blocks.ts';
import { readRevoked } from '../../../base/chain/spend-permissions.ts';
import { readRevocationsBlock, setRevocationsBlock } from '../../../base/onchain/spender/revocations-block.ts';
import type { SpenderKey } from '../../../base/onchain/spender/spender-key.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { REMINDER_QUEUE, schedule, workOn } from '../../../base/platform/jobs.ts';
import { retryStart } from '../../../base/platform/postgres/reach-database.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import type { RevokeJob } from './cancel.ts';
import { changeSubscriptions } from './change-subscriptions.ts';
import { remindOfCharges } from './contact.ts';
import { COLLECTIBLE } from './lifecycle.ts';
import { permissionEndMs } from './terms.ts';

type NoticeDeps = Pick<Deps, 'db' | 'bus' | 'clock' | 'settings' | 'chain'>;

/** How much of the chain's log one call reads. A longer gap is read by the following calls. */
interface Reading {
  /** Blocks per query at most; fewer if the node cannot read so many. */
  readonly rangeBlocks: number;
  readonly rangesPerCall: number;
}

const READING: Reading = { rangeBlocks: 1_000, rangesPerCall: 20 };

/**
 * Ends the subscriptions whose permissions were revoked on the chain since the last call, however long ago that was.
 * The first call looks back as far as one call reads at most.
 */
export async function noticeRevocations(
  deps: NoticeDeps,
  { manager, sender }: SpenderKey,
  { rangeBlocks, rangesPerCall }: Reading = READING,
): Promise<void> {
  const head = await readHead(deps.chain);
  const newest = Number(head.number);
  const read = await readRevocationsBlock(deps, sender);
  // A head below the last block read means a reorg or a chain that was reset: the last blocks are read again.
  let from = read !== null && read <= newest ? read + 1 : Math.max(0, newest - rangeBlocks * rangesPerCall);
  for (let ranges = 0; from <= newest && ranges < rangesPerCall; ranges++) {
    const until = Math.min(newest, from + Math.min(rangeBlocks, deps.chain.logRange.blocks()) - 1);
    const hashes = await readRevoked(deps.chain, manager, { fromBlock: from, toBlock: until });
    if (hashes === 'too_large') continue;
    await deps.db.transaction(async (uow) => {
      await endRevoked(deps, uow, hashes, head.timeMs);
      await setRevocationsBlock(uow, deps, sender, until);
    });
    from = until + 1;
  }
}

async function endRevoked(deps: NoticeDeps, uow: UnitOfWork, hashes: readonly Hash[], atMs: number): Promise<void> {
  if (hashes.length === 0) return;
  const revoked = await uow.db
    .updateTable('Subscription')
    .set({ revokedAt: atMs })
    .where('permissionHash', 'in', hashes)
    .where('revokedAt', 'is', null)
    .returning(['merchant', 'id as subscriptionId'])
    .execute();
  const changes = revoked.map((one) => ({ ...one, at: atMs }));
  await changeSubscriptions(deps, uow, 'revoked', changes);
}

const EXPIRED_PER_CALL = 1_000;

/** Ends the subscriptions whose permissions have expired by the time of the latest block, at most 1,000. */
export async function noticeExpiry(deps: NoticeDeps): Promise<void> {
  const { timeMs } = await readHead(deps.chain);
  await deps.db.transaction(async (uow) => {
    const over = await uow.db
      .selectFrom('Subscription')
      .select(['merchant', 'id as subscriptionId'])
      .where('status', 'in', COLLECTIBLE)
      .where('nextChargeAt', '<=', timeMs)
      .where('chainId', '=', deps.chain.chainId)
      .where(permissionEndMs('Subscription'), '<=', timeMs)
      .orderBy('nextChargeAt')
      .limit(EXPIRED_PER_CALL)
      .execute();
    await changeSubscriptions(
      deps,
      uow,
      'expired',
      over.map((one) => ({ ...one, at: timeMs })),
    );
  });
}

/** Records that the spender has revoked the permission of a cancelled subscription. */
export async function recordRevoked(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { merchant, subscriptionId }: RevokeJob,
): Promise<void> {
  await db.transaction((uow) =>
    uow.db
      .updateTable('Subscription')
      .set({ revokedAt: clock() })
      .where('merchant', '=', merchant)
      .where('id', '=', subscriptionId)
      .where('revokedAt', 'is', null)
      .execute(),
  );
}

/** Each hour, in UTC. */
const HOURLY = '7 * * * *';

/** Reminds subscribers of coming charges until it is stopped; one of all processes each hour. */
export async function startReminders(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'settings'>,
): Promise<{ stop(): Promise<void> }> {
  const { mail } = deps.settings;
  await retryStart(() => schedule(deps.db, REMINDER_QUEUE, mail === null ? null : HOURLY));
  if (mail === null) return { stop: async () => {} };
  return workOn(deps.db, deps.log, REMINDER_QUEUE, () => remindOfCharges(deps));
}
