import { Refusal } from '../../base/core/errors.ts';
import { rescanChain, rescanReceipt } from '../../domain/operations/operators/rescan.ts';
import type { Rescan } from '../../domain/payments/watching/rescan.ts';
import { withDeps } from './open-deps.ts';
import { print } from './print.ts';
import { walletOf } from './wallet.ts';

interface Options {
  readonly from?: number;
  readonly to?: number;
  readonly chain?: number;
  readonly receipt?: string;
  readonly wallet?: string;
  readonly json?: boolean;
}

/** `quittance rescan`: blocks of a chain, or the addresses of a receipt on all chains. */
export async function rescanBlocks(options: Options): Promise<void> {
  const { from, to, receipt } = options;
  if (receipt !== undefined) return rescanOne(options, receipt);
  if (from === undefined || to === undefined)
    throw new Refusal(
      'invalid_input',
      'Name the blocks with --from and --to, or a receipt with --receipt and --wallet',
    );
  const done = await withDeps((deps) => rescanChain(deps, options.chain ?? null, { fromBlock: from, toBlock: to }));
  print({ ok: true, ...done }, options.json, [sentenceOf(done)]);
}

async function rescanOne({ wallet, json }: Options, receipt: string): Promise<void> {
  const merchant = walletOf(wallet ?? '');
  const chains = await withDeps((deps) => rescanReceipt(deps, merchant, receipt));
  print(
    { ok: true, chains },
    json,
    chains.map((one) => `Chain ${one.chainId}: ${sentenceOf(one)}`),
  );
}

const sentenceOf = ({ fromBlock, toBlock, found, added }: Rescan): string =>
  `Blocks ${fromBlock} to ${toBlock}: ${found} transfers, ${added} of them new`;
