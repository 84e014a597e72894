import { toAddress } from '../../chain/address.ts';
import { type BlockMark, readHead } from '../../chain/blocks.ts';
import { reach } from '../../chain/client.ts';
import type { WalletCall } from '../../chain/create2.ts';
import { broadcast, readNonce, type SignedTransaction } from '../../chain/raw-transactions.ts';
import { Refusal } from '../../core/errors.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';
import { readOffer } from './fees.ts';
import { alertOutOfFunds, canPay, fundsSufficed } from './funds.ts';
import { lockNonces, markSent, signAndStore, type Want } from './nonce-store.ts';
import type { LaneDeps } from './spender.ts';
import type { SigningWallet } from './spender-key.ts';

/** Why nothing was sent: the wallet cannot pay for the gas, or the market is above the fee ceiling. */
export type NotSent = 'out_of_funds' | 'fees_too_high';

/** A transaction that is stored. It may or may not have reached the node; the lane follows it either way. */
export interface Stored {
  readonly want: Want;
  readonly transaction: SignedTransaction;
}

/**
 * Sends transactions with the next nonces, one for each want. They are stored before they are sent, and followed until
 * they have an outcome. A want whose purpose and subject have an open transaction is left out. `record` runs in the
 * transaction that stores them. If the wallet cannot pay for all of them, nothing is stored and the alert is raised.
 * Refuses with `chain_unavailable` and `datastore_unavailable`.
 */
export async function sendTransactions(
  deps: LaneDeps,
  wallet: SigningWallet,
  wants: readonly Want[],
  record?: (uow: UnitOfWork, stored: readonly Stored[]) => Promise<void>,
): Promise<readonly Stored[] | NotSent> {
  if (wants.length === 0) return [];
  const [head, fees, mined] = await Promise.all([
    readHead(deps.chain),
    readOffer(deps),
    readNonce(deps.chain, wallet.sender),
  ]);
  if (fees === null) return 'fees_too_high';
  const gas = wants.reduce((sum, want) => sum + want.gas, 0n);
  if (!(await canPay(deps, wallet, gas, { ...fees, head }))) {
    alertOutOfFunds(deps, wallet);
    return 'out_of_funds';
  }
  fundsSufficed(deps, wallet);
  const stored = await deps.db.transaction(async (uow) => {
    const first = await lockNonces(deps, uow, wallet.sender, { head, mined });
    const fresh = await withoutOpen(deps, uow, wallet, wants);
    if (fresh.length === 0) return [];
    const signed = await signAndStore(deps, uow, wallet, { first, wants: fresh, fees });
    const made = fresh.map((want, i): Stored => ({ want, transaction: signed[i]! }));
    await record?.(uow, made);
    return made;
  });
  await broadcastAll(
    deps,
    wallet,
    stored.map(({ transaction }) => transaction),
    head,
  );
  return stored;
}

/** The wants whose purpose and subject have no transaction that is still in no block. */
async function withoutOpen(
  { chain: { chainId } }: LaneDeps,
  uow: UnitOfWork,
  { sender }: SigningWallet,
  wants: readonly Want[],
): Promise<Want[]> {
  const open = await uow.db
    .selectFrom('SpenderTransaction')
    .select(['purpose', 'subjectId'])
    .where('chainId', '=', chainId)
    .where('sender', '=', sender)
    .where('state', '=', 'open')
    .where(
      'subjectId',
      'in',
      wants.map(({ subjectId }) => subjectId),
    )
    .execute();
  return wants.filter(
    ({ purpose, subjectId }) => !open.some((one) => one.purpose === purpose && one.subjectId === subjectId),
  );
}

/**
 * Sends stored transactions and records which ones the node accepted. An unreachable node is no error: the next pass
 * sends them again.
 */
export async function broadcastAll(
  deps: LaneDeps,
  { sender }: SigningWallet,
  signed: readonly SignedTransaction[],
  head: BlockMark,
): Promise<void> {
  const sent = await Promise.all(
    signed.map(async ({ raw, nonce }) => {
      try {
        return (await broadcast(deps.chain, raw)) === 'taken' ? [nonce] : [];
      } catch (error) {
        if (error instanceof Refusal) return [];
        throw error;
      }
    }),
  );
  await markSent(deps, sender, sent.flat(), head);
}

/**
 * Sends one transaction of a wallet, as `sendTransactions` does, with the gas that the node estimates and a margin.
 * Returns false and stores nothing if it cannot be sent now. Throws if the call would revert.
 */
export async function sendOther(
  deps: LaneDeps,
  wallet: SigningWallet,
  want: Pick<Want, 'purpose' | 'merchant' | 'subjectId'> & { readonly call: WalletCall },
): Promise<boolean> {
  const { to, data } = want.call;
  const call = { account: toAddress(wallet.sender), to: to && toAddress(to), data };
  const estimate = await reach(deps.chain.client.estimateGas(call));
  const stored = await sendTransactions(deps, wallet, [{ ...want, gas: (estimate * 5n) / 4n, staleAt: null }]);
  return Array.isArray(stored);
}
