import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { planSplitter } from '../../../base/chain/plan-splitter.ts';
import { refuse } from '../../../base/core/errors.ts';
import { newId } from '../../../base/core/ids.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { knownHead } from '../../../base/onchain/blocks/known-head.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { jsonb } from '../../../base/platform/postgres/query.ts';
import { codeOf, type UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { type AuditDeps, recordAudit } from '../../../base/records/audit/record.ts';
import { requireOwnWallet } from '../merchants/own-wallet.ts';
import { raiseVersion } from '../merchants/version.ts';
import { readSplit, type SplitRecord } from './read.ts';
import { type PlannedSplit, recipientsOf, sameShares, settleAddress } from './settle-address.ts';
import { SPLIT_COLUMNS, type Split } from './split.entity.ts';
import type { SplitInput } from './split.input.ts';
import { furtherHeads, spreadWithin } from './spread.ts';

export type SplitDeps = AuditDeps & Pick<Deps, 'db' | 'settings' | 'chain' | 'chains'>;

/** A split, and whether it existed before the call. */
export interface ConfiguredSplit {
  readonly split: SplitRecord;
  readonly idempotent: boolean;
}

/**
 * Configures a merchant's split: `{splitAddress?, recipients?}`. A merchant that has a split keeps it, whatever the
 * body contains, and the result has `idempotent: true`. Use `replaceSplit` to change it.
 *
 * Refuses with `invalid_input` (form, shares, an address without such a splitter or of another merchant),
 * `platform_recipient_not_configured`, `forbidden` (a wallet that is not the merchant's), and `chain_unavailable` if a
 * given address cannot be verified.
 */
export async function configureSplit(deps: SplitDeps, merchant: Wallet, given: SplitInput): Promise<ConfiguredSplit> {
  requireOwnWallet(merchant, given.wallet);
  const recipients = recipientsOf(deps.settings, merchant, given);
  const known = await readSplit(deps.db, deps.settings, merchant);
  if (known.address !== null) return { split: known, idempotent: true };

  // Call the chain before the transaction begins, so that no lock is held while waiting for a node.
  const planned = await settleAddress(deps.chain, deps.settings, merchant, recipients, given.splitAddress);
  const [createdBlock, further] = await Promise.all([knownHead(deps), furtherHeads(deps)]);
  const { chainId } = deps.settings;
  return deps.db.transaction(async (uow) => {
    await raiseVersion(deps, uow, merchant);
    const winner = await activeSplit(uow, merchant, chainId);
    if (winner) return { split: splitRecord(winner), idempotent: true };
    const split = await putSplit(uow, merchant, planned, {
      chainId,
      createdBlock,
      now: deps.clock(),
      named: given.splitAddress !== undefined,
    });
    await spreadWithin(deps, uow, merchant, further);
    const record = splitRecord(split);
    await recordAudit(deps, uow, merchant, 'split.configured', ['split', record.address ?? ''], {
      after: auditedSplit(record),
    });
    return { split: record, idempotent: false };
  });
}

/**
 * Replaces the merchant's split, or configures the first one. The former split stays watched, because quotes for it can
 * still be paid. Passing the same split changes nothing. Refuses like `configureSplit`.
 */
export async function replaceSplit(deps: SplitDeps, merchant: Wallet, given: SplitInput): Promise<SplitRecord> {
  requireOwnWallet(merchant, given.wallet);
  const recipients = recipientsOf(deps.settings, merchant, given);
  const planned = await settleAddress(deps.chain, deps.settings, merchant, recipients, given.splitAddress);
  const [createdBlock, further] = await Promise.all([knownHead(deps), furtherHeads(deps)]);
  const { chainId } = deps.settings;
  return deps.db.transaction(async (uow) => {
    await raiseVersion(deps, uow, merchant);
    const now = deps.clock();
    const active = await activeSplit(uow, merchant, chainId);
    const named = given.splitAddress !== undefined;
    // The address of a splitter of ours may differ from the one planned now.
    const there = active && (active.address === planned.address || (!named && active.initCode !== null));
    if (there && sameShares(active.recipients, recipients)) return splitRecord(active);
    const before = active && auditedSplit(splitRecord(active));
    // Before the next one: a merchant never has two active splits, not even within a transaction.
    if (active && active.address !== planned.address)
      await uow.db
        .updateTable('Split')
        .set({ replacedAt: now })
        .where((eb) => eb.and({ merchant, chainId, id: active.id }))
        .execute();
    const split = splitRecord(await putSplit(uow, merchant, planned, { chainId, createdBlock, now, named }));
    await spreadWithin(deps, uow, merchant, further);
    await recordAudit(
      deps,
      uow,
      merchant,
      before ? 'split.replaced' : 'split.configured',
      ['split', split.address ?? ''],
      { before, after: auditedSplit(split) },
    );
    return split;
  });
}

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
async function activeSplit(uow: UnitOfWork, merchant: Wallet, chainId: number): Promise<Split | null> {
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
async function putSplit(
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
    throw refuse('invalid_input', 'recipients are not those of the split at splitAddress', {
      field: 'recipients',
      reason: 'split_differs',
    });
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
function splitRecord({ address, recipients, verified, deployed, createdAt }: Split): SplitRecord {
  return { address, recipients, verified, deployed, createdAt };
}

/** What the audit log records of a split. */
const auditedSplit = ({ address, recipients }: SplitRecord) => ({ address, recipients });

function takenRefusal() {
  return refuse('invalid_input', 'splitAddress is in use by another merchant', {
    field: 'splitAddress',
    reason: 'split_taken',
  });
}
