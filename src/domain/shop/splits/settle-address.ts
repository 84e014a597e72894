import type { Chain } from '../../../base/chain/client.ts';
import { planSplitter } from '../../../base/chain/plan-splitter.ts';
import { isFinallyDeployed, readSplitterShares } from '../../../base/chain/splitter.ts';
import { refuse } from '../../../base/core/errors.ts';
import { type Recipient, resolveRecipients } from '../../../base/core/shares.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Settings } from '../../../base/platform/deps.ts';
import type { Split } from './split.entity.ts';
import type { SplitInput } from './split.input.ts';

/** A split to be configured: its recipients, its address and whether it is verified. */
export type PlannedSplit = Pick<Split, 'address' | 'recipients' | 'salt' | 'initCode' | 'verified' | 'deployed'>;

/** The recipients of an input, with defaults. Refuses like `resolveRecipients`. */
export function recipientsOf(settings: Settings, merchant: Wallet, input: SplitInput): Recipient[] {
  return resolveRecipients({ recipients: input.recipients, merchant, platform: settings.platformRecipient });
}

/**
 * Determines the split's address. Without a given address, or with the one that our own splitter of these recipients
 * has, that address is used without calling the chain: no other code can exist there. Any other address must hold a
 * known splitter with these shares under strict verification, else `invalid_input` (`chain_unavailable` if the chain
 * cannot be read). Under lenient verification it is accepted and stays unverified.
 */
export async function settleAddress(
  chain: Chain,
  settings: Settings,
  merchant: Wallet,
  recipients: Recipient[],
  splitAddress: Wallet | undefined,
): Promise<PlannedSplit> {
  const { address, salt, initCode } = planSplitter({ merchant, recipients });
  if (splitAddress === undefined || splitAddress === address) {
    return { address, recipients, salt, initCode, verified: true, deployed: false };
  }
  const named = { address: splitAddress, recipients, salt: null, initCode: null };
  if (settings.splitVerification === 'lenient') return { ...named, verified: false, deployed: false };
  const problem = await readSplitterShares(chain, splitAddress, recipients);
  if (problem !== null)
    throw refuse('invalid_input', `splitAddress: ${problem}`, { field: 'splitAddress', reason: 'split_differs' });
  return { ...named, verified: true, deployed: await isFinallyDeployed(chain, splitAddress) };
}

/** Whether both give each recipient the same share, in any order. */
export function sameShares(some: readonly Recipient[], others: readonly Recipient[]): boolean {
  const bps = new Map(some.map(({ address, sharesBps }) => [address, sharesBps]));
  return bps.size === others.length && others.every(({ address, sharesBps }) => bps.get(address) === sharesBps);
}
