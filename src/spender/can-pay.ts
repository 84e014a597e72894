import { readBalance } from '../chain/balances.ts';
import type { BlockMark } from '../chain/blocks.ts';
import type { SpenderDeps } from './deps.ts';
import type { SpenderKey } from './spender-key.ts';

/** Whether the charging wallet's native balance covers this much gas. Refuses with `chain_unavailable`. */
export async function canPay(
  { chain }: Pick<SpenderDeps, 'chain'>,
  { sender }: Pick<SpenderKey, 'sender'>,
  gas: bigint,
  { maxFeePerGas, head }: { readonly maxFeePerGas: bigint; readonly head: BlockMark },
): Promise<boolean> {
  return (await readBalance(chain, sender, null, head.number)) >= gas * maxFeePerGas;
}
