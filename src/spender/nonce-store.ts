import type { Hash, Hex } from 'viem';
import type { BlockMark } from '../chain/blocks.ts';
import type { TransactionCall } from '../chain/create2.ts';
import { type Fees, type SignedTransaction, signTransaction } from '../chain/raw-transactions.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { decrypt, encrypt } from '../platform/secrets.ts';
import { inTransaction, type UnitOfWork } from '../platform/unit-of-work.ts';
import type { SpenderDeps } from './deps.ts';
import type { SpenderKey } from './spender-key.ts';
import type { Purpose } from './spender-transaction.entity.ts';

/** A transaction for the charging wallet to send. */
export interface Want {
  readonly purpose: Purpose;
  readonly merchant: Wallet | '';
  readonly subjectId: string;
  readonly call: TransactionCall;
  readonly gas: bigint;
  /** Unix seconds from which the call can only revert; null: never. */
  readonly staleAt: number | null;
}

const LOCK = `
  with made as (
    insert into spender_nonces (chain_id, sender, next) values ($1, $2, $3) on conflict do nothing
  )
  select 1`;

/**
 * Locks the wallet's nonces until the unit of work ends, so that only one process at a time signs and stores
 * transactions. Call it before any other lock is taken. `mined` is the number of the wallet's transactions in blocks.
 *
 * @returns the first free nonce
 */
export async function lockNonces(deps: SpenderDeps, uow: UnitOfWork, sender: Wallet, mined: number): Promise<number> {
  const { chainId } = deps.chain;
  await uow.sql(LOCK, [chainId, sender, mined]);
  const [row] = await uow.sql<{ next: number | string }>(
    'select next from spender_nonces where chain_id = $1 and sender = $2 for update',
    [chainId, sender],
  );
  const next = Number(row!.next);
  // The key was used outside this server. That should not happen, but it must not stop charging.
  if (mined >= next) return mined;
  return deps.chain.mayRestart ? afterReset(deps, uow, sender, { next, mined }) : next;
}

/** After a reset of a local chain, deletes its finished transactions and restarts the nonces from the chain's count. */
async function afterReset(
  { chain, log }: SpenderDeps,
  uow: UnitOfWork,
  sender: Wallet,
  { next, mined }: { next: number; mined: number },
): Promise<number> {
  const [unfinished] = await uow.sql(
    `select 1 from spender_transactions where chain_id = $1 and sender = $2 and state <> 'final' limit 1`,
    [chain.chainId, sender],
  );
  if (unfinished) return next;
  for (const table of ['spender_transactions', 'spender_broadcasts']) {
    await uow.sql(`delete from ${table} where chain_id = $1 and sender = $2 and nonce >= $3`, [
      chain.chainId,
      sender,
      mined,
    ]);
  }
  log.warn({ sender, next, mined }, 'local chain was reset, nonces restart');
  return mined;
}

/**
 * Signs `wants` with the nonces from `first` on and stores them in the caller's transaction, which must hold the nonce
 * lock. Sends nothing.
 */
export async function signAndStore(
  deps: SpenderDeps,
  uow: UnitOfWork,
  key: SpenderKey,
  { first, wants, fees }: { first: number; wants: readonly Want[]; fees: Fees },
): Promise<SignedTransaction[]> {
  const { chainId } = deps.chain;
  const signed = await Promise.all(
    wants.map(({ call, gas }, i) => signTransaction(deps.chain, key.account, { call, gas, nonce: first + i, fees })),
  );
  const now = deps.clock();
  await uow.sql(
    `insert into spender_transactions (chain_id, sender, nonce, purpose, merchant, subject_id, stale_at, state, created_at, updated_at)
     select $1, $2, nonce, purpose, merchant, subject_id, stale_at, 'open', $3, $3
       from unnest($4::bigint[], $5::text[], $6::text[], $7::text[], $8::bigint[]) as w(nonce, purpose, merchant, subject_id, stale_at)`,
    [
      chainId,
      key.sender,
      now,
      signed.map(({ nonce }) => nonce),
      wants.map(({ purpose }) => purpose),
      wants.map(({ merchant }) => merchant),
      wants.map(({ subjectId }) => subjectId),
      wants.map(({ staleAt }) => staleAt),
    ],
  );
  await storeSigned(deps, uow, key.sender, signed, 'call');
  await uow.sql('update spender_nonces set next = $3 where chain_id = $1 and sender = $2', [
    chainId,
    key.sender,
    first + wants.length,
  ]);
  return signed;
}

/** Stores signed transactions. Always called before they are sent, so that every hash that may be mined is known. */
export async function storeSigned(
  { chain, settings, clock }: SpenderDeps,
  uow: UnitOfWork,
  sender: Wallet,
  signed: readonly SignedTransaction[],
  kind: 'call' | 'void',
): Promise<void> {
  await uow.sql(
    `insert into spender_broadcasts (chain_id, sender, kind, created_at, hash, nonce, sealed_raw, max_fee_per_gas, max_priority_fee_per_gas)
     select $1, $2, $3, $4, b.* from unnest($5::text[], $6::bigint[], $7::text[], $8::numeric[], $9::numeric[]) as b
     on conflict do nothing`,
    [
      chain.chainId,
      sender,
      kind,
      clock(),
      signed.map(({ hash }) => hash),
      signed.map(({ nonce }) => nonce),
      signed.map(({ hash, raw }) => encrypt(settings.keyEncryptionKey, contextOf(hash), raw)),
      signed.map(({ fees }) => String(fees.maxFeePerGas)),
      signed.map(({ fees }) => String(fees.maxPriorityFeePerGas)),
    ],
  );
}

/** Decrypts a stored signed transaction. */
export const openRaw = ({ settings }: Pick<Deps, 'settings'>, hash: Hash, sealedRaw: string): Hex =>
  decrypt(settings.keyEncryptionKey, contextOf(hash), sealedRaw) as Hex;

const contextOf = (hash: Hash): string => `transaction:${hash}`;

/** Records the chain head at which the node accepted the transactions. */
export async function markSent(
  deps: Pick<SpenderDeps, 'orm' | 'chain'>,
  sender: Wallet,
  nonces: readonly number[],
  head: BlockMark,
): Promise<void> {
  if (nonces.length === 0) return;
  await inTransaction(deps, (uow) =>
    uow.sql('update spender_transactions set sent_block = $4 where chain_id = $1 and sender = $2 and nonce = any($3)', [
      deps.chain.chainId,
      sender,
      nonces,
      Number(head.number),
    ]),
  );
}
