import { toAddress } from '../chain/address.ts';
import { readHead } from '../chain/blocks.ts';
import { reach } from '../chain/client.ts';
import type { TransactionCall } from '../chain/create2.ts';
import { broadcast, readFees, readNonce } from '../chain/raw-transactions.ts';
import { inTransaction } from '../platform/unit-of-work.ts';
import { canPay } from './can-pay.ts';
import type { SpenderDeps } from './deps.ts';
import { lockNonces, markSent, signAndStore, type Want } from './nonce-store.ts';
import type { SpenderKey } from './spender-key.ts';

/**
 * Sends a transaction of the charging wallet that is not a charge, with the next nonce. The transaction is stored
 * before it is sent, and followed like all others. Returns false and stores nothing if the wallet cannot pay for the
 * gas. Throws if the call would revert.
 */
export async function sendOther(
  deps: SpenderDeps,
  key: SpenderKey,
  { purpose, merchant, subjectId, call }: Pick<Want, 'purpose' | 'merchant' | 'subjectId'> & { call: TransactionCall },
): Promise<boolean> {
  const [head, fees, mined, estimate] = await Promise.all([
    readHead(deps.chain),
    readFees(deps.chain),
    readNonce(deps.chain, key.sender, 'latest'),
    reach(deps.chain.client.estimateGas({ account: toAddress(key.sender), to: toAddress(call.to), data: call.data })),
  ]);
  const gas = (estimate * 5n) / 4n;
  if (!(await canPay(deps, key, gas, { ...fees, head }))) return false;
  const want: Want = { purpose, merchant, subjectId, call, gas, staleAt: null };
  const signed = await inTransaction(deps, async (uow) => {
    const first = await lockNonces(deps, uow, key.sender, mined);
    const [before] = await uow.sql(
      `select 1 from spender_transactions where chain_id = $1 and sender = $2 and state <> 'final' and purpose = $3 and subject_id = $4`,
      [deps.chain.chainId, key.sender, purpose, subjectId],
    );
    return before ? null : (await signAndStore(deps, uow, key, { first, wants: [want], fees }))[0]!;
  });
  if (signed && (await broadcast(deps.chain, signed.raw)) === 'taken')
    await markSent(deps, key.sender, [signed.nonce], head);
  return true;
}
