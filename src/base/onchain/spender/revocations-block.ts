import type { Wallet } from '../../core/wallet.ts';
import { query } from '../../platform/postgres/query.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';
import type { LaneDeps } from './spender.ts';

interface WalletKey {
  chainId: number;
  sender: Wallet;
}

const READ = query('revocations-block', (db, $: WalletKey) =>
  db
    .selectFrom('SpenderNonce')
    .select('revocationsBlock')
    .where('chainId', '=', $.chainId)
    .where('sender', '=', $.sender),
);

/** The last block whose permission revocations were read; null if none was. */
export async function readRevocationsBlock(
  { db, chain: { chainId } }: Pick<LaneDeps, 'db' | 'chain'>,
  sender: Wallet,
): Promise<number | null> {
  const [row] = await db.run(READ, { chainId, sender });
  return row?.revocationsBlock ?? null;
}

/** Records that the revocations up to this block were read. */
export async function setRevocationsBlock(
  uow: Pick<UnitOfWork, 'db'>,
  { chain: { chainId } }: Pick<LaneDeps, 'chain'>,
  sender: Wallet,
  block: number,
): Promise<void> {
  await uow.db
    .insertInto('SpenderNonce')
    .values({ chainId, sender, next: 0, revocationsBlock: block })
    .onConflict((conflict) => conflict.columns(['chainId', 'sender']).doUpdateSet({ revocationsBlock: block }))
    .execute();
}
