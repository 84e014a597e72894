import { readHead } from '../chain/blocks.ts';
import { revokeAsSpenderTransaction } from '../chain/charger.ts';
import { isRevoked, readRevoked } from '../chain/spend-permissions.ts';
import { inTransaction } from '../platform/unit-of-work.ts';
import type { SpenderDeps } from '../spender/deps.ts';
import { readRevocationsBlock, setRevocationsBlock } from '../spender/revocations-block.ts';
import { sendOther } from '../spender/send-transactions.ts';
import type { SpenderKey } from '../spender/spender-key.ts';
import { endSubscriptions } from '../subscriptions/decline.ts';
import type { RevokeJob } from '../subscriptions/enqueue-revoke.ts';
import { findToCharge } from './due-scan.ts';
import { ensureCharger } from './ensure-charger.ts';

/** Blocks per log query, and the maximum number of blocks to look back. */
const RANGE_BLOCKS = 2_000;
const BACK_BLOCKS = 20_000;

/**
 * Revokes a subscription's permission as its spender. Returns true once the revocation is on chain and recorded; call
 * again until it does.
 */
export async function revokeAsSpender(
  deps: SpenderDeps,
  key: SpenderKey,
  { subscriptionId }: RevokeJob,
): Promise<boolean> {
  const subscription = await findToCharge(deps, subscriptionId);
  if (!subscription || subscription.permission.spender !== key.charger.address) return true;
  const { permission, merchant } = subscription;
  if (!(await ensureCharger(deps, key))) return false;
  if (await isRevoked(deps.chain, key.manager, permission)) {
    await inTransaction(deps, (uow) =>
      uow.sql('update subscriptions set revoked_at = $3 where merchant = $1 and id = $2 and revoked_at is null', [
        merchant,
        subscriptionId,
        deps.clock(),
      ]),
    );
    return true;
  }
  const call = revokeAsSpenderTransaction(key.charger.address, permission);
  await sendOther(deps, key, { purpose: 'revoke', merchant, subjectId: subscriptionId, call });
  return false;
}

/** Ends the subscriptions whose permissions were revoked on the chain since the last call. */
export async function noticeRevocations(deps: SpenderDeps, key: SpenderKey): Promise<void> {
  const head = await readHead(deps.chain);
  const known = await readRevocationsBlock(deps, key.sender);
  const to = Number(head.number);
  let from = Math.max(0, to - BACK_BLOCKS, (known ?? to - BACK_BLOCKS) + 1);
  // A head below the last block read means a reorg or a different chain: read the whole range again.
  if (known !== null && known > to) from = Math.max(0, to - BACK_BLOCKS);
  for (; from <= to; from += RANGE_BLOCKS) {
    const until = Math.min(to, from + RANGE_BLOCKS - 1);
    const hashes = await readRevoked(deps.chain, key.manager, BigInt(from), BigInt(until));
    await inTransaction(deps, async (uow) => {
      const revoked = await uow.sql<{ id: string }>(
        'update subscriptions set revoked_at = $2 where permission_hash = any($1) and revoked_at is null returning id',
        [hashes, head.timeMs],
      );
      await endSubscriptions(
        deps,
        uow,
        revoked.map(({ id }) => id),
        'revoked',
        head.timeMs,
      );
      await setRevocationsBlock(uow, deps, key.sender, until);
    });
  }
}

/** Ends the subscriptions whose permissions have expired by the time of the latest block. */
export async function noticeExpiry(deps: SpenderDeps): Promise<void> {
  const head = await readHead(deps.chain);
  await inTransaction(deps, async (uow) => {
    const over = await uow.sql<{ id: string }>(
      `select id from subscriptions
        where status in ('active', 'past_due') and next_charge_at <= $1 and chain_id = $2 and (permission ->> 'end')::bigint * 1000 <= $1
        order by next_charge_at limit 1000`,
      [head.timeMs, deps.chain.chainId],
    );
    await endSubscriptions(
      deps,
      uow,
      over.map(({ id }) => id),
      'expired',
      head.timeMs,
    );
  });
}
