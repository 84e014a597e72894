import type { Wallet } from '../../../base/core/wallet.ts';
import { knownHead } from '../../../base/onchain/blocks/known-head.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { type AuditDeps, recordAudit } from '../../../base/records/audit/record.ts';
import { requireOwnWallet } from '../merchants/own-wallet.ts';
import { raiseVersion } from '../merchants/version.ts';
import { activeSplit, auditedSplit, putSplit, splitRecord } from './put-split.ts';
import { readSplit, type SplitRecord } from './read.ts';
import { recipientsOf, sameShares, settleAddress } from './settle-address.ts';
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
