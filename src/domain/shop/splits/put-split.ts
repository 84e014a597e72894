import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { planSplitter } from '../../../base/chain/plan-splitter.ts';
import { refuse } from '../../../base/core/errors.ts';
import { newId } from '../../../base/core/ids.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { jsonb } from '../../../base/platform/postgres/query.ts';
import { codeOf, type UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import type { SplitRecord } from './read.ts';
import { type PlannedSplit, sameShares } from './settle-address.ts';
import { SPLIT_COLUMNS, type Split } from './split.entity.ts';

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
export async function activeSplit(uow: UnitOfWork, merchant: Wallet, chainId: number): Promise<Split | null> {
  const active = await uow.db
    .selectFrom('Split')
    .select(SPLIT_COLUMNS)
    .where((eb) => eb.and({ merchant, chainId }))
    .where('replacedAt', 'is', null)
    .executeTakeFirst();
  return active ?? null;
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
  const known = await uow.db
    .selectFrom('Split')
    .select(SPLIT_COLUMNS)
    .where((eb) => eb.and({ chainId, address: planned.address }))
    .executeTakeFirst();
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
    const active = { ...known, ...planned, salt, initCode, verified, deployed, replacedAt: null };
    // The watcher reads it again: it may be verified now.
    await uow.db
      .updateTable('Split')
      .set({ ...stored(active), txid: sql`pg_current_xact_id()` })
      .where('merchant', '=', merchant)
      .where('id', '=', known.id)
      .execute();
    return active;
  }
  const split = { merchant, id: newId('split', now), chainId, ...planned, createdBlock, createdAt: now };
  try {
    return await uow.db.insertInto('Split').values(stored(split)).returning(SPLIT_COLUMNS).executeTakeFirstOrThrow();
  } catch (error) {
    // Two merchants gave the same address at the same time; the second insert fails here.
    throw codeOf(error) === UNIQUE_VIOLATION ? takenRefusal() : error;
  }
}

const stored = <Columns extends Pick<Split, 'recipients'>>(split: Columns) => ({
  ...split,
  recipients: jsonb(split.recipients),
});

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
