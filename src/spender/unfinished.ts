import type { Hash } from 'viem';
import { inTransaction } from '../platform/unit-of-work.ts';
import type { SpenderDeps } from './deps.ts';
import type { SpenderKey } from './spender-key.ts';
import type { TransactionOutcome, TransactionState } from './spender-transaction.entity.ts';

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
  readonly state: Exclude<TransactionState, 'final'>;
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

/** The wallet's unfinished transactions in nonce order, at most 500; only those of `nonces` if given. */
export async function readUnfinished(
  deps: SpenderDeps,
  key: SpenderKey,
  nonces: readonly number[] | null,
): Promise<Unfinished[]> {
  return inTransaction(deps, (uow) =>
    uow.sql<Unfinished>(
      `select t.nonce::float8 as nonce, t.state, t.outcome, t.mined_hash as "minedHash", t.mined_block::float8 as "minedBlock",
              t.stale_at::float8 as "staleAt", t.sent_block::float8 as "sentBlock",
              (select json_agg(json_build_object('hash', b.hash, 'kind', b.kind, 'sealedRaw', b.sealed_raw,
                        'maxFeePerGas', b.max_fee_per_gas::text, 'maxPriorityFeePerGas', b.max_priority_fee_per_gas::text)
                      order by b.max_fee_per_gas, b.created_at)
                 from spender_broadcasts b where b.chain_id = t.chain_id and b.sender = t.sender and b.nonce = t.nonce) as broadcasts
         from spender_transactions t
        where t.chain_id = $1 and t.sender = $2 and t.state <> 'final' and ($3::bigint[] is null or t.nonce = any($3))
        order by t.nonce limit ${AT_ONCE}`,
      [deps.chain.chainId, key.sender, nonces],
    ),
  );
}
