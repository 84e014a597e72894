import type { Hash, Hex } from 'viem';
import type { BlockMark } from '../../chain/blocks.ts';
import type { WalletCall } from '../../chain/create2.ts';
import { type Fees, type SignedTransaction, signTransaction } from '../../chain/raw-transactions.ts';
import type { Wallet } from '../../core/wallet.ts';
import { query } from '../../platform/postgres/query.ts';
import type { SealedValues } from '../../platform/sealed-values.ts';
import { seal, unseal } from '../../platform/secrets.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';
import { deleteOfReset, isReset, reopenRemoved, type WalletOnChain } from './removed-transactions.ts';
import type { LaneDeps } from './spender.ts';
import type { SigningWallet } from './spender-key.ts';
import type { Purpose } from './spender-transaction.entity.ts';

/** A transaction for a wallet to send. */
export interface Want {
  readonly purpose: Purpose;
  readonly merchant: Wallet | '';
  readonly subjectId: string;
  readonly call: WalletCall;
  readonly gas: bigint;
  /** Unix seconds from which the call can only revert; null: never. */
  readonly staleAt: number | null;
}

/**
 * Locks the wallet's nonces until the unit of work ends, so that only one process at a time signs and stores
 * transactions. Call it before any other lock is taken.
 *
 * @returns the first free nonce
 */
export async function lockNonces(
  deps: LaneDeps,
  uow: UnitOfWork,
  sender: Wallet,
  { head, mined }: WalletOnChain,
): Promise<number> {
  const { chainId } = deps.chain;
  await uow.db
    .insertInto('SpenderNonce')
    .values({ chainId, sender, next: mined })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { next } = await uow.db
    .selectFrom('SpenderNonce')
    .select('next')
    .where('chainId', '=', chainId)
    .where('sender', '=', sender)
    .forUpdate()
    .executeTakeFirstOrThrow();
  // The key was used outside this server. That should not happen, but it must not stop the lane.
  if (mined >= next) return mined;
  // While some are unfinished, the next pass deals with it.
  if (await hasUnfinished(deps, uow, sender)) return next;
  if (!isReset(deps, mined)) {
    await reopenRemoved(deps, uow, sender, { head, mined, below: next });
    return next;
  }
  await deleteOfReset(deps, uow, sender);
  deps.log.warn({ sender, next }, 'local chain was reset, nonces restart');
  return mined;
}

async function hasUnfinished({ chain: { chainId } }: LaneDeps, uow: UnitOfWork, sender: Wallet): Promise<boolean> {
  const unfinished = await uow.db
    .selectFrom('SpenderTransaction')
    .select('nonce')
    .where('chainId', '=', chainId)
    .where('sender', '=', sender)
    .where('state', '<>', 'final')
    .limit(1)
    .executeTakeFirst();
  return unfinished !== undefined;
}

/**
 * Signs `wants` with the nonces from `first` on and stores them in the caller's transaction, which must hold the nonce
 * lock. Sends nothing.
 */
export async function signAndStore(
  deps: LaneDeps,
  uow: UnitOfWork,
  { account, sender }: SigningWallet,
  { first, wants, fees }: { first: number; wants: readonly Want[]; fees: Fees },
): Promise<SignedTransaction[]> {
  const { chainId } = deps.chain;
  const signed = await Promise.all(
    wants.map(({ call, gas }, i) => signTransaction(deps.chain, account, { call, gas, nonce: first + i, fees })),
  );
  const now = deps.clock();
  const rows = wants.map(({ purpose, merchant, subjectId, staleAt }, i) => ({
    chainId,
    sender,
    nonce: first + i,
    purpose,
    merchant,
    subjectId,
    staleAt,
    state: 'open' as const,
    createdAt: now,
    updatedAt: now,
  }));
  await uow.db.insertInto('SpenderTransaction').values(rows).execute();
  await storeSigned(deps, uow, sender, signed, 'call');
  await uow.db
    .updateTable('SpenderNonce')
    .set({ next: first + wants.length })
    .where('chainId', '=', chainId)
    .where('sender', '=', sender)
    .execute();
  return signed;
}

/** Stores signed transactions. Always called before they are sent, so that every hash that may be mined is known. */
export async function storeSigned(
  { chain: { chainId }, settings, clock }: LaneDeps,
  uow: UnitOfWork,
  sender: Wallet,
  signed: readonly SignedTransaction[],
  kind: 'call' | 'void',
): Promise<void> {
  const rows = signed.map(({ hash, nonce, raw, fees }) => ({
    chainId,
    sender,
    kind,
    hash,
    nonce,
    createdAt: clock(),
    sealedRaw: seal(settings, contextOf(hash), raw),
    maxFeePerGas: String(fees.maxFeePerGas),
    maxPriorityFeePerGas: String(fees.maxPriorityFeePerGas),
  }));
  await uow.db
    .insertInto('SpenderBroadcast')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Decrypts a stored signed transaction. */
export const openRaw = ({ settings }: Pick<LaneDeps, 'settings'>, hash: Hash, sealedRaw: string): Hex =>
  unseal(settings, contextOf(hash), sealedRaw) as Hex;

const contextOf = (hash: Hash): string => `transaction:${hash}`;

const SEALED_PAGE = query('broadcasts-sealed-page', (db, $: { after: Hash; limit: number }) =>
  db
    .selectFrom('SpenderBroadcast as b')
    .innerJoin('SpenderTransaction as t', (join) =>
      join.onRef('t.chainId', '=', 'b.chainId').onRef('t.sender', '=', 'b.sender').onRef('t.nonce', '=', 'b.nonce'),
    )
    .select(['b.hash', 'b.sealedRaw'])
    .where('t.state', '<>', 'final')
    .where('b.hash', '>', $.after)
    .orderBy('b.hash')
    .limit($.limit),
);
const RESEAL = query('broadcast-reseal', (db, $: { hash: Hash; sealed: string }) =>
  db.updateTable('SpenderBroadcast').set({ sealedRaw: $.sealed }).where('hash', '=', $.hash),
);

/** The encrypted transactions that may still be sent. Those that are final are never read again. */
export const sealedTransactions: SealedValues = {
  what: 'unfinished transactions',
  page: async (db, after, limit) =>
    (await db.run(SEALED_PAGE, { after: after as Hash, limit })).map(({ hash, sealedRaw }) => ({
      at: hash,
      values: [{ context: contextOf(hash), sealed: sealedRaw }],
    })),
  replace: async (db, { at }, [sealed]) => void (await db.run(RESEAL, { hash: at as Hash, sealed: sealed! })),
};

interface SentKey {
  chainId: number;
  sender: Wallet;
  nonces: readonly number[];
  block: number;
}

const MARK_SENT = query('transactions-sent', (db, $: SentKey) =>
  db
    .updateTable('SpenderTransaction')
    .set({ sentBlock: $.block })
    .where('chainId', '=', $.chainId)
    .where('sender', '=', $.sender)
    .where('nonce', '=', (eb) => eb.fn.any(eb.val($.nonces))),
);

/** Records the chain head at which the node accepted the transactions. */
export async function markSent(
  { db, chain: { chainId } }: Pick<LaneDeps, 'db' | 'chain'>,
  sender: Wallet,
  nonces: readonly number[],
  head: BlockMark,
): Promise<void> {
  if (nonces.length > 0) await db.run(MARK_SENT, { chainId, sender, nonces, block: Number(head.number) });
}
