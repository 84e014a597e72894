import { isFinallyDeployed, planSplitter, readSplitterShares } from '../chain/splitter.ts';
import { refuse } from '../core/errors.ts';
import { type Recipient, resolveRecipients } from '../core/shares.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import type { Split } from './split.entity.ts';
import type { SplitInput } from './split.input.ts';

/** What a split is to be: who gets how much, at which address, and how far it can be trusted. */
export type PlannedSplit = Pick<Split, 'address' | 'recipients' | 'salt' | 'initCode' | 'verified' | 'deployed'>;

/** The recipients that an input comes to. Refuses as `resolveRecipients` does. */
export function recipientsOf({ settings }: Pick<Deps, 'settings'>, merchant: Wallet, input: SplitInput): Recipient[] {
  return resolveRecipients({ recipients: input.recipients, merchant, platform: settings.platformRecipient });
}

/**
 * Gives the recipients an address. None named, or the very one that their own splitter has: that one, which asks no chain, for nothing else can ever be
 * there. Another one named: under strict verification the chain must show a known splitter with these shares there, else `invalid_input`
 * (`chain_unavailable` where it cannot be asked); lenient, it is taken as it is and stays unverified.
 */
export async function settleAddress(
  { settings, chain }: Pick<Deps, 'settings' | 'chain'>,
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
  if (problem !== null) throw refuse('invalid_input', `splitAddress: ${problem}`, { field: 'splitAddress' });
  return { ...named, verified: true, deployed: await isFinallyDeployed(chain, splitAddress) };
}

/** Whether both give everybody the same, in whatever order. */
export function sameShares(some: readonly Recipient[], others: readonly Recipient[]): boolean {
  const bps = new Map(some.map(({ address, sharesBps }) => [address, sharesBps]));
  return bps.size === others.length && others.every(({ address, sharesBps }) => bps.get(address) === sharesBps);
}
