import { isAuthorizationSpent, readAuthorizationOf } from '../../../base/chain/authorizations.ts';
import { readBlock, readHead } from '../../../base/chain/blocks.ts';
import type { Chain } from '../../../base/chain/client.ts';
import type { Transfer } from '../../../base/chain/transfers.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { chainOf, tokenOn } from '../../../base/platform/on-chain.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
import type { AuthorizationRow } from './authorization.entity.ts';
import type { AuthorizationKey } from './store.ts';

const FAILED = query('gasless-failed-authorizations', (db, $: { merchant: Wallet; receiptId: string }) =>
  db
    .selectFrom('PaymentAuthorization')
    .select(['chainId', 'token', 'payer', 'nonce', 'validBefore'])
    .where('merchant', '=', $.merchant)
    .where('receiptId', '=', $.receiptId)
    .where('state', '=', 'failed'),
);

type Failed = RowOf<typeof FAILED>;

type PossibleDeps = Pick<Deps, 'db' | 'chain'> & Partial<Pick<Deps, 'chains'>>;

/**
 * The failed authorizations of a receipt that can still be carried out: their signatures are public, and anyone may
 * send them once the payer has the money. One is impossible once a block at the depth of confirmations is past its end,
 * or has its nonce as used. An authorization of a chain or token that the server has no longer counts as impossible.
 * Throws `chain_unavailable`.
 */
export async function readPossible(
  deps: PossibleDeps,
  { merchant, receiptId }: { readonly merchant: Wallet; readonly receiptId: string },
): Promise<AuthorizationKey[]> {
  const failed = await deps.db.run(FAILED, { merchant, receiptId });
  const possible = await Promise.all(failed.map((one) => isPossible(deps, one)));
  return failed.filter((_, i) => possible[i]);
}

async function isPossible(deps: PossibleDeps, { chainId, token, payer, nonce, validBefore }: Failed): Promise<boolean> {
  const chain = chainOf(deps, chainId);
  const address = tokenOn(deps, chainId, token)?.address ?? null;
  if (chain === null || address === null) return false;
  const { number } = await readHead(chain);
  const depth = BigInt(chain.confirmations);
  const block = await readBlock(chain, number > depth ? number - depth : 0n);
  if (block === null) return true;
  if (validBefore * 1_000 <= block.timeMs) return false;
  return !(await isAuthorizationSpent(chain, address, { from: payer, nonce }, block.number));
}

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
