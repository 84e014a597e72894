import { toDecimal } from '../chain/tokens.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';

/** One payee's share of a receipt's payment. */
export interface ShareView {
  readonly receiptId: string;
  readonly payee: Wallet;
  readonly sharesBps: number;
  readonly split: Wallet;
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

const SHARES = statement(
  'payments-shares',
  `select receipt_id as "receiptId", payee, shares_bps as "sharesBps", split, token, owed,
          case when settled_at is null then '0' else owed::text end as released,
          settled_at as "settledAt", transaction_hash as "transactionHash", self_release and settled_at is null as "selfRelease"
     from settlement_shares where merchant = $1 and receipt_id = any($2) order by receipt_id, shares_bps desc, payee, token`,
);

/**
 * The shares of each receipt: what each payee is owed and what was released. In the order of the receipts, largest
 * share first.
 */
export async function readShares(
  deps: Pick<Deps, 'sql'>,
  merchant: Wallet,
  receiptIds: readonly string[],
): Promise<ShareView[][]> {
  const rows = await deps.sql.rows<ShareView>(SHARES, [merchant, receiptIds]);
  const shares = Map.groupBy(rows, ({ receiptId }) => receiptId);
  return receiptIds.map((id) => shares.get(id) ?? []);
}

/**
 * What a payee is owed in whole tokens, as in `64.12`. Null until it is known, and for a token that the server no
 * longer supports.
 */
export function displayOwed({ tokens }: Pick<Deps['chain'], 'tokens'>, { owed, token }: ShareView): string | null {
  const decimals = tokens.find(({ symbol }) => symbol === token)?.decimals;
  return owed === null || decimals === undefined ? null : toDecimal(BigInt(owed), decimals);
}
