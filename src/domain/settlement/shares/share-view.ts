import { sql } from 'kysely';
import { toDecimal } from '../../../base/chain/tokens.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { tokenOn } from '../../../base/platform/on-chain.ts';
import { query } from '../../../base/platform/postgres/query.ts';

/** One payee's share of a receipt's payment. */
export interface ShareView {
  readonly receiptId: string;
  readonly payee: Wallet;
  readonly sharesBps: number;
  readonly split: Wallet;
  readonly chainId: number;
  readonly token: string;
  /** Base units; null until the payment's total is known. */
  readonly owed: string | null;
  /** Base units that the splitter has released of `owed`. */
  readonly released: string;
  /** Epoch ms; null until released. */
  readonly settledAt: number | null;
  readonly transactionHash: `0x${string}` | null;
  /**
   * The payee's contract needs more gas than the settlement wallet spends, so the payee must release the share itself.
   */
  readonly selfRelease: boolean;
}

const SHARES = query(
  'settlement-shares',
  (db, $: { merchant: Wallet; receiptIds: readonly string[] }) =>
    db
      .selectFrom('SettlementShare')
      .select(['receiptId', 'payee', 'sharesBps', 'split', 'chainId', 'token', 'owed', 'settledAt', 'transactionHash'])
      .select((eb) => [
        sql<string>`case when ${eb.ref('settledAt')} is null then '0' else ${eb.ref('owed')}::text end`.as('released'),
        eb
          .and([eb('selfRelease', '=', true), eb('settledAt', 'is', null)])
          .$castTo<boolean>()
          .as('selfRelease'),
      ])
      .where('merchant', '=', $.merchant)
      .where('receiptId', '=', (eb) => eb.fn.any(eb.val($.receiptIds)))
      .orderBy('receiptId')
      .orderBy('sharesBps', 'desc')
      .orderBy('payee')
      .orderBy('token')
      .orderBy('chainId'),
  { computed: { released: 'text', selfRelease: 'bool' } },
);

/**
 * The shares of each receipt: what each payee is owed and what was released. In the order of the receipts, largest
 * share first.
 */
export async function readShares(db: Db, merchant: Wallet, receiptIds: readonly string[]): Promise<ShareView[][]> {
  const rows: ShareView[] = await db.run(SHARES, { merchant, receiptIds });
  const shares = Map.groupBy(rows, ({ receiptId }) => receiptId);
  return receiptIds.map((id) => shares.get(id) ?? []);
}

/**
 * What a payee is owed in whole tokens, as in `64.12`. Null until it is known, and for a token that the server no
 * longer supports.
 */
export function displayOwed(
  deps: Pick<Deps, 'chain' | 'chains'>,
  { owed, token, chainId }: Pick<ShareView, 'owed' | 'token' | 'chainId'>,
): string | null {
  const decimals = tokenOn(deps, chainId, token)?.decimals;
  return owed === null || decimals === undefined ? null : toDecimal(BigInt(owed), decimals);
}
