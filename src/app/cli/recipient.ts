import { InvalidArgumentError } from 'commander';

/** Parses a recipient of a split from the command line, `0x…:9950`, and appends it to the previous ones. */
export function addRecipient(
  text: string,
  before: { address: string; sharesBps: number }[] = [],
): { address: string; sharesBps: number }[] {
  const match = /^(0x[0-9a-fA-F]{40}):(\d{1,5})$/.exec(text);
  if (!match)
    throw new InvalidArgumentError('A recipient is 0x followed by 40 hex characters, a colon and basis points.');
  return [...before, { address: match[1] as string, sharesBps: Number(match[2]) }];
}
