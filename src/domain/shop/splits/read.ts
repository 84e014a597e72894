import type { Recipient } from '../../../base/core/shares.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Settings } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';

/** The address of a merchant's payments. Null and empty if no split is configured. */
export interface SplitRecord {
  readonly address: Wallet | null;
  readonly recipients: readonly Recipient[];
  /** Whether it is, or will be once deployed, a known splitter with these shares. */
  readonly verified: boolean;
  /** Whether its contract was found on the chain. */
  readonly deployed: boolean;
  /** Epoch ms. */
  readonly createdAt: number | null;
}

/** The record of a merchant without a split. */
export const NO_SPLIT: SplitRecord = {
  address: null,
  recipients: [],
  verified: false,
  deployed: false,
  createdAt: null,
};

const READ = query('read-split', (db, $: { merchant: Wallet; chainId: number }) =>
  db
    .selectFrom('Split')
    .select(['address', 'recipients', 'verified', 'deployed', 'createdAt'])
    .where('merchant', '=', $.merchant)
    .where('chainId', '=', $.chainId)
    .where('replacedAt', 'is', null),
);

/** The merchant's split on the server's chain; `NO_SPLIT` if none is configured. */
export async function readSplit(db: Db, settings: Settings, merchant: Wallet): Promise<SplitRecord> {
  const [split] = await db.run(READ, { merchant, chainId: settings.chainId });
  return split ?? NO_SPLIT;
}
