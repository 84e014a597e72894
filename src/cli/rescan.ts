import { recordOperation } from '../audit/record-operation.ts';
import { rescan } from '../payments/rescan.ts';
import { onChain } from '../platform/on-chain.ts';
import { createShares } from '../settlement/create-shares.ts';
import { spreadSplits } from '../splits/spread.ts';
import { withDeps } from './open-deps.ts';
import { print } from './print.ts';

/** `quittance rescan` */
export async function rescanBlocks(options: {
  from: number;
  to: number;
  chain?: number;
  json?: boolean;
}): Promise<void> {
  const range = { fromBlock: options.from, toBlock: options.to };
  const { fromBlock, toBlock, found, added } = await withDeps(async (every) => {
    const deps = onChain(every, options.chain);
    await spreadSplits(deps);
    const done = await rescan({ ...deps, createShares }, range);
    await recordOperation(deps, 'blocks.rescanned', ['chain', String(deps.chain.chainId)], done);
    return done;
  });
  print({ ok: true, fromBlock, toBlock, found, added }, options.json, [
    `Blocks ${fromBlock} to ${toBlock}: ${found} transfers to splits, ${added} of them new`,
  ]);
}
