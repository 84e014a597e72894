import { readAuthorizationOf } from '../../../base/chain/authorizations.ts';
import type { Chain } from '../../../base/chain/client.ts';
import type { Transfer } from '../../../base/chain/transfers.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { AuthorizationRow } from './authorization.entity.ts';
import type { AuthorizationKey } from './store.ts';

/** An authorization and the receipt that it pays. */
export type BoundAuthorization = AuthorizationKey & Pick<AuthorizationRow, 'merchant' | 'receiptId'>;

interface Paid {
  readonly chainId: number;
  readonly token: string;
  readonly payer: Wallet;
  readonly payTo: Wallet;
  readonly amount: string;
}

const CANDIDATES = query('gasless-candidates', (db, $: Paid) =>
  db
    .selectFrom('PaymentAuthorization')
    .select(['chainId', 'token', 'payer', 'nonce', 'merchant', 'receiptId'])
    .where('chainId', '=', $.chainId)
    .where('token', '=', $.token)
    .where('payer', '=', $.payer)
    .where('payTo', '=', $.payTo)
    .where('amount', '=', $.amount),
);

/**
 * The bound authorization that a transfer carried out, for any sender of the transaction; null if it was none. The
 * chain is asked only if there is an authorization of this sender, address and amount. Throws `chain_unavailable`.
 */
export async function findBoundAuthorization(
  db: Db,
  chain: Chain,
  transfer: Pick<Transfer, 'transactionHash' | 'blockHash' | 'logIndex' | 'from' | 'to' | 'value' | 'symbol'>,
): Promise<BoundAuthorization | null> {
  const { transactionHash, blockHash, logIndex, from, to, symbol } = transfer;
  const address = chain.tokens.find((token) => token.symbol === symbol)?.address;
  if (!address) return null;
  const paid = { chainId: chain.chainId, token: symbol, payer: from, payTo: to, amount: String(transfer.value) };
  const candidates: BoundAuthorization[] = await db.run(CANDIDATES, paid);
  if (candidates.length === 0) return null;
  const nonce = await readAuthorizationOf(chain, { transactionHash, blockHash, logIndex, from, token: address });
  return candidates.find((one) => one.nonce === nonce) ?? null;
}
