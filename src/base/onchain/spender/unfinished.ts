import { sql } from 'kysely';
import type { Hash } from 'viem';
import type { Wallet } from '../../core/wallet.ts';
import { query } from '../../platform/postgres/query.ts';
import type { TransactionState } from './lifecycle.ts';
import type { LaneDeps } from './spender.ts';
import type { SigningWallet } from './spender-key.ts';
import type { Purpose, TransactionOutcome } from './spender-transaction.entity.ts';

/** A signed form of a transaction. Fees in wei. */
export interface Broadcast {
  readonly hash: Hash;
  readonly kind: 'call' | 'void';
  readonly sealedRaw: string;
  readonly maxFeePerGas: string;
  readonly maxPriorityFeePerGas: string;
}

/** A nonce whose transaction is not final yet. */
export interface Unfinished {
  readonly nonce: number;
  readonly purpose: Purpose;
  readonly subjectId: string;
  readonly state: TransactionState;
  readonly outcome: TransactionOutcome | null;
  readonly minedHash: Hash | null;
  readonly minedBlock: number | null;
  /** Unix seconds. */
  readonly staleAt: number | null;
  readonly sentBlock: number | null;
  /** Ordered by fee, lowest first. */
  readonly broadcasts: readonly Broadcast[];
}

const AT_ONCE = 500;

interface UnfinishedKey {
  chainId: number;
  sender: Wallet;
  nonces: readonly number[] | null;
}

const FIND_UNFINISHED = query(
  'transactions-unfinished',
  (db, $: UnfinishedKey) =>
    db
      .selectFrom('SpenderTransaction as t')
      .select(['t.nonce', 't.purpose', 't.subjectId', 't.state', 't.outcome', 't.minedHash', 't.minedBlock'])
      .select(['t.staleAt', 't.sentBlock'])
      .select((eb) =>
        eb
          .selectFrom('SpenderBroadcast as b')
          .select(
            sql<Broadcast[]>`json_agg(json_build_object('hash', b.hash, 'kind', b.kind, 'sealedRaw', b.sealed_raw,
              'maxFeePerGas', b.max_fee_per_gas::text, 'maxPriorityFeePerGas', b.max_priority_fee_per_gas::text)
              order by b.max_fee_per_gas, b.created_at)`.as('broadcasts'),
          )
          .whereRef('b.chainId', '=', 't.chainId')
          .whereRef('b.sender', '=', 't.sender')
          .whereRef('b.nonce', '=', 't.nonce')
          .as('broadcasts'),
      )
      .where('t.chainId', '=', $.chainId)
      .where('t.sender', '=', $.sender)
      .where('t.state', '<>', 'final')
      .where(sql<boolean>`(${$.nonces}::bigint[] is null or t.nonce = any(${$.nonces}))`)
      .orderBy('t.nonce')
      .limit(AT_ONCE),
  { computed: { broadcasts: 'json' } },
);

/** The wallet's unfinished transactions in nonce order, at most 500; only those of `nonces` if given. */
export const readUnfinished = (
  { db, chain }: Pick<LaneDeps, 'db' | 'chain'>,
  { sender }: SigningWallet,
  nonces: readonly number[] | null,
): Promise<Unfinished[]> =>
  db.run(FIND_UNFINISHED, { chainId: chain.chainId, sender, nonces }) as Promise<Unfinished[]>;
