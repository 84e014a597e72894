import { isAuthorizationSpent } from '../../../base/chain/authorizations.ts';
import { readBlock, readHead } from '../../../base/chain/blocks.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { chainOf, tokenOn } from '../../../base/platform/on-chain.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';
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
