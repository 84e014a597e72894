import { configureSplit } from '../../domain/shop/splits/configure.ts';
import { parseSplitInput } from '../../domain/shop/splits/split.input.ts';
import { withDeps } from './open-deps.ts';
import { print } from './print.ts';
import { walletOf } from './wallet.ts';

/** `quittance split set` */
export async function splitSet(options: {
  wallet: string;
  recipient?: { address: string; sharesBps: number }[];
  address?: string;
  json?: boolean;
}): Promise<void> {
  const { split, idempotent } = await withDeps((deps) =>
    configureSplit(
      deps,
      walletOf(options.wallet),
      parseSplitInput({ splitAddress: options.address, recipients: options.recipient }),
    ),
  );
  const { address, recipients } = split;
  print({ ok: true, split: { address, recipients }, ...(idempotent ? { idempotent } : {}) }, options.json, [
    `Split ${address}${idempotent ? ' (was there before)' : ''}`,
    ...recipients.map((recipient) => `  ${recipient.address}  ${recipient.sharesBps} bps`),
  ]);
}
