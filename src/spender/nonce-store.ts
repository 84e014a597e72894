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

/** Something that the wallet is to send. */
export interface Want {
  readonly purpose: Purpose;
  readonly merchant: Wallet | '';
  readonly subjectId: string;
  readonly call: TransactionCall;
  readonly gas: bigint;
  /** Unix seconds, from when on it could only revert; null: never. */
  readonly staleAt: number | null;
}

const LOCK = `
  with made as (
    insert into spender_nonces (chain_id, sender, next) values ($1, $2, $3) on conflict do nothing
  )
  select 1`;

/**
 * Locks the wallet's nonces until the unit of work ends: one transaction after another is signed and stored, in whatever process. Call it before
 * anything else is locked. `mined` is how many transactions of the wallet are in blocks.
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
  // Somebody else has used the key: it should not happen, and must stop nothing.
  if (mined >= next) return mined;
  return deps.chain.mayRestart ? afterReset(deps, uow, sender, { next, mined }) : next;
}

/** A local chain may be thrown away and begun anew; then what it had finished is gone with it. */
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
  log.warn({ sender, next, mined }, 'the local chain began anew: so do the nonces');
  return mined;
}

/** Signs what is wanted with the nonces from `first` on, and stores it in the caller's transaction, which holds their lock. Nothing is sent yet. */
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

/** Keeps signed transactions: what is sent was stored before, so that every hash that may ever be mined is known. */
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

/** Opens a stored transaction. */
export const openRaw = ({ settings }: Pick<Deps, 'settings'>, hash: Hash, sealedRaw: string): Hex =>
  decrypt(settings.keyEncryptionKey, contextOf(hash), sealedRaw) as Hex;

const contextOf = (hash: Hash): string => `transaction:${hash}`;

/** Notes the head at which the node had the transactions. */
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
