import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { planSplitter } from '../../../base/chain/splitter.ts';
import { refuse } from '../../../base/core/errors.ts';
import { newId } from '../../../base/core/ids.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { codeOf, type UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import type { SplitRecord } from './read.ts';
import { type PlannedSplit, sameShares } from './settle-address.ts';
import { Split } from './split.entity.ts';

/** The chain, its head and the time. */
interface Circumstances {
  readonly chainId: number;
  readonly createdBlock: number;
  readonly now: number;
  /** Whether the caller has given this address. */
  readonly named: boolean;
}

const UNIQUE_VIOLATION = '23505';

/** The merchant's split on the current chain. The transaction must have locked the merchant. */
export function activeSplit(uow: UnitOfWork, merchant: Wallet, chainId: number): Promise<Split | null> {
  return uow.em.findOne(Split, { merchant, chainId, replacedAt: null });
}

/**
 * Makes a planned split the merchant's active one; none may be active. A former split of the merchant at this address
 * becomes active again and was watched without interruption. Refuses with `invalid_input` if a given address belongs to
 * another merchant. If a computed address is taken, another salt is used: anyone who knows the recipients can compute
 * the address and claim it first.
 */
export async function putSplit(
  uow: UnitOfWork,
  merchant: Wallet,
  planned: PlannedSplit,
  circumstances: Circumstances,
): Promise<Split> {
  const { chainId, createdBlock, now, named } = circumstances;
  const known = await uow.em.findOne(Split, { chainId, address: planned.address });
  if (known && known.merchant !== merchant) {
    if (named) throw takenRefusal();
    return putSplit(uow, merchant, elsewhere(merchant, planned), circumstances);
  }
  // The init code of a splitter of ours fixes its shares permanently.
  if (known && known.initCode !== null && !sameShares(known.recipients, planned.recipients)) {
    throw refuse('invalid_input', 'recipients are not those of the split at splitAddress', { field: 'recipients' });
  }
  if (known) {
    const deployed = known.deployed || planned.deployed;
    // A splitter of ours stays one, even if its address is given explicitly.
    const { salt, initCode, verified } = known.initCode === null ? planned : known;
    Object.assign(known, planned, { salt, initCode, verified, deployed, replacedAt: null });
    await uow.em.flush();
    // The watcher reads it again: it may be verified now.
    await uow.db
      .updateTable('Split')
      .set({ txid: sql`pg_current_xact_id()` })
      .where('merchant', '=', merchant)
      .where('id', '=', known.id)
      .execute();
    return known;
  }
  const split = uow.em.create(Split, {
    merchant,
    id: newId('split', now),
    chainId,
    ...planned,
    createdBlock,
    createdAt: now,
    replacedAt: null,
  });
  uow.em.persist(split);
  try {
    await uow.em.flush();
  } catch (error) {
    // Two merchants gave the same address at the same time; the second insert fails here.
    throw codeOf(error) === UNIQUE_VIOLATION ? takenRefusal() : error;
  }
  return split;
}

/** The same split at an address that cannot be predicted. */
function elsewhere(merchant: Wallet, planned: PlannedSplit): PlannedSplit {
  const nonce = `0x${randomBytes(32).toString('hex')}` as const;
  return { ...planned, ...planSplitter({ merchant, recipients: planned.recipients, nonce }), deployed: false };
}

/** The split as returned to callers. */
export function splitRecord({ address, recipients, verified, deployed, createdAt }: Split): SplitRecord {
  return { address, recipients, verified, deployed, createdAt };
}

/** What the audit log records of a split. */
export const auditedSplit = ({ address, recipients }: SplitRecord) => ({ address, recipients });

function takenRefusal() {
  return refuse('invalid_input', 'splitAddress is in use by another merchant', { field: 'splitAddress' });
}
