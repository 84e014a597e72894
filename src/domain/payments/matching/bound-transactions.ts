import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import type { TransferRow } from '../transfers/core/transfer-row.ts';

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
  { db }: UnitOfWork,
  chainId: number,
  bindings: readonly Binding[],
  now: number,
): Promise<void> {
  if (bindings.length === 0) return;
  await db
    .insertInto('BoundTransaction')
    .values(
      bindings.map(({ transactionHash, merchant, receiptId, token, amount }) => ({
        chainId,
        transactionHash,
        merchant,
        receiptId,
        token,
        amount: String(amount),
        createdAt: now,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
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

const BOUND = query('payments-bound-receipt', (db, $: TransferRow) =>
  db
    .selectFrom('BoundTransaction')
    .select('receiptId')
    .where('chainId', '=', $.chainId)
    .where('transactionHash', '=', $.transactionHash)
    .where('merchant', '=', $.merchant)
    .where('token', '=', $.token)
    .where('amount', '=', $.amount),
);

/** The receipt that a transfer was bound to before it was sent; null if it was not bound. */
export async function boundReceipt(uow: UnitOfWork, transfer: TransferRow): Promise<string | null> {
  const [bound] = await uow.run(BOUND, transfer);
  return bound?.receiptId ?? null;
}
