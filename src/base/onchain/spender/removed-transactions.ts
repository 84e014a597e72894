import { sql } from 'kysely';
import type { BlockMark } from '../../chain/blocks.ts';
import type { Wallet } from '../../core/wallet.ts';
import { query } from '../../platform/postgres/query.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';
import { moveTransactions } from './record-outcomes.ts';
import type { LaneDeps } from './spender.ts';

/**
 * What the chain shows of a wallet. If it counts fewer transactions than are final, a reorganization was deeper than
 * the confirmations, a local chain has lost its last second, or it was reset.
 */
export interface WalletOnChain {
  readonly head: BlockMark;
  /** The number of the wallet's transactions in blocks. */
  readonly mined: number;
}

/** Whether a local chain was reset: it counts no transaction of a wallet that has final ones. */
export const isReset = ({ chain }: Pick<LaneDeps, 'chain'>, mined: number): boolean => chain.mayRestart && mined === 0;

/** Deletes the wallet's transactions on a local chain that was reset. */
export async function deleteOfReset(
  { chain: { chainId } }: Pick<LaneDeps, 'chain'>,
  uow: UnitOfWork,
  sender: Wallet,
): Promise<void> {
  for (const table of ['SpenderTransaction', 'SpenderBroadcast'] as const)
    await uow.db.deleteFrom(table).where('chainId', '=', chainId).where('sender', '=', sender).execute();
}

/**
 * Opens final transactions below the nonce `below` again that the chain does not count any more. The next pass looks
 * for them and sends them again: without them, the chain accepts no transaction of the wallet with a higher nonce.
 * Their outcomes stay until the chain shows other ones.
 */
export async function reopenRemoved(
  deps: Pick<LaneDeps, 'chain' | 'clock' | 'log'>,
  uow: Pick<UnitOfWork, 'run'>,
  sender: Wallet,
  { head, mined, below }: WalletOnChain & { readonly below: number },
): Promise<void> {
  const { chainId, mayRestart } = deps.chain;
  // A node whose head is lower lags behind. Only a local chain goes back.
  const upTo = mayRestart ? null : Number(head.number);
  const removed = await uow.run(REMOVED, { chainId, sender, mined, below, upTo });
  if (removed.length === 0) return;
  const nonces = removed.map(({ nonce }) => nonce);
  deps.log.warn({ chainId, sender, nonces }, 'confirmed transactions are in no block any more');
  const reopened = { state: 'open', outcome: null, minedHash: null, minedBlock: null } as const;
  await moveTransactions(
    deps,
    uow,
    sender,
    nonces.map((nonce) => ({ nonce, ...reopened })),
  );
}

interface RemovedKey {
  chainId: number;
  sender: Wallet;
  mined: number;
  below: number;
  upTo: number | null;
}

const AT_ONCE = 500;

const REMOVED = query('transactions-removed', (db, $: RemovedKey) =>
  db
    .selectFrom('SpenderTransaction')
    .select('nonce')
    .where('chainId', '=', $.chainId)
    .where('sender', '=', $.sender)
    .where('nonce', '>=', $.mined)
    .where('nonce', '<', $.below)
    .where('state', '=', 'final')
    .where((eb) => sql<boolean>`(${$.upTo}::bigint is null or ${eb.ref('minedBlock')} <= ${$.upTo})`)
    .orderBy('nonce')
    .limit(AT_ONCE),
);
