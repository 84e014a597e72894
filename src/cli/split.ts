import { InvalidArgumentError } from 'commander';
import { configureSplit } from '../splits/configure.ts';
import { onGround } from './ground.ts';
import { print } from './print.ts';
import { walletOf } from './wallet.ts';

/** Reads `0x…:9950`. */
export function readRecipient(text: string): { address: string; sharesBps: number } {
  const match = /^(0x[0-9a-fA-F]{40}):(\d{1,5})$/.exec(text);
  if (!match)
    throw new InvalidArgumentError('A recipient is 0x followed by 40 hex characters, a colon and basis points.');
  return { address: match[1] as string, sharesBps: Number(match[2]) };
}

/** `quittance split set` */
export async function splitSet(options: {
  wallet: string;
  recipient?: { address: string; sharesBps: number }[];
  address?: string;
  json?: boolean;
}): Promise<void> {
  const { split, idempotent } = await onGround((deps) =>
    configureSplit(deps, walletOf(options.wallet), { splitAddress: options.address, recipients: options.recipient }),
  );
  const { address, recipients } = split;
  print({ ok: true, split: { address, recipients }, ...(idempotent ? { idempotent } : {}) }, options.json, [
    `Split ${address}${idempotent ? ' (was there before)' : ''}`,
    ...recipients.map((recipient) => `  ${recipient.address}  ${recipient.sharesBps} bps`),
  ]);
}
