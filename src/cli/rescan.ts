import { rescanChain } from '../operators/rescan.ts';
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
  const { fromBlock, toBlock, found, added } = await withDeps((deps) =>
    rescanChain(deps, options.chain ?? null, range),
  );
  print({ ok: true, fromBlock, toBlock, found, added }, options.json, [
    `Blocks ${fromBlock} to ${toBlock}: ${found} transfers to splits, ${added} of them new`,
  ]);
}
