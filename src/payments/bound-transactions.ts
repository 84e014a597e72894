import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';

/** A transaction of the server and the receipt that its transfer pays. */
export interface Binding {
  readonly transactionHash: `0x${string}`;
  readonly merchant: Wallet;
  readonly receiptId: string;
  /** The token's symbol. */
  readonly token: string;
  /** Base units. */
  readonly amount: bigint | string;
}

/**
 * Records which receipts the server's own transactions pay, before they are sent. Their transfers are matched by this
 * record only.
 */
export async function bindTransactions(
  uow: Pick<UnitOfWork, 'sql'>,
  chainId: number,
  bindings: readonly Binding[],
  now: number,
): Promise<void> {
  await uow.sql(
    `insert into bound_transactions (chain_id, created_at, transaction_hash, merchant, receipt_id, token, amount)
     select $1, $2, b.* from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::numeric[]) as b
     on conflict do nothing`,
    [
      chainId,
      now,
      bindings.map(({ transactionHash }) => transactionHash),
      bindings.map(({ merchant }) => merchant),
      bindings.map(({ receiptId }) => receiptId),
      bindings.map(({ token }) => token),
      bindings.map(({ amount }) => String(amount)),
    ],
  );
}

/** Binds a transaction to the receipt of the one that it replaces: either may be mined. */
export async function rebindTransaction(
  uow: Pick<UnitOfWork, 'db'>,
  { chain: { chainId }, clock }: Pick<Deps, 'chain' | 'clock'>,
  { hash, replaced }: { readonly hash: `0x${string}`; readonly replaced: `0x${string}` },
): Promise<void> {
  await uow.db
    .insertInto('BoundTransaction')
    .columns(['chainId', 'transactionHash', 'merchant', 'receiptId', 'token', 'amount', 'createdAt'])
    .expression((eb) =>
      eb
        .selectFrom('BoundTransaction')
        .select([
          'chainId',
          eb.val(hash).as('hash'),
          'merchant',
          'receiptId',
          'token',
          'amount',
          eb.val(clock()).as('at'),
        ])
        .where('chainId', '=', chainId)
        .where('transactionHash', '=', replaced),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The receipt that a transfer was bound to before it was sent; null if it was not bound. */
export async function boundReceipt(
  uow: Pick<UnitOfWork, 'sql'>,
  transfer: {
    readonly chainId: number;
    readonly transactionHash: string;
    readonly merchant: Wallet;
    readonly token: string;
    readonly amount: string;
  },
): Promise<string | null> {
  const [bound] = await uow.sql<{ receiptId: string }>(
    `select receipt_id as "receiptId" from bound_transactions
      where chain_id = $1 and transaction_hash = $2 and merchant = $3 and token = $4 and amount = $5::numeric`,
    [transfer.chainId, transfer.transactionHash, transfer.merchant, transfer.token, transfer.amount],
  );
  return bound?.receiptId ?? null;
}
