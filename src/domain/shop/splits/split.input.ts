import { z } from 'zod';
import { wholeNumber } from '../../../base/core/amount.ts';
import { optional, parseInput, shownAs } from '../../../base/core/input.ts';
import { BPS_TOTAL, MAX_RECIPIENTS } from '../../../base/core/shares.ts';
import { wallet } from '../../../base/core/text.ts';
import { parseWallet, WALLET_PATTERN, type Wallet, ZERO_WALLET } from '../../../base/core/wallet.ts';

const ADDRESS_WANTED = 'must be 0x followed by 40 hex characters, and not all zeros';

/** An address that can receive money; any other is `invalid_input`. */
const address = shownAs(
  z.custom<string>(isPayable, { error: ADDRESS_WANTED }).transform((text) => parseWallet(text) as Wallet),
  { type: 'string', pattern: WALLET_PATTERN },
);

function isPayable(value: unknown): boolean {
  const parsed = parseWallet(value);
  return parsed !== null && parsed !== ZERO_WALLET;
}

/** The body of `POST /api/split/deploy`: its form only. core/shares.ts checks the sum of the shares. */
export const splitInput = z.object({
  wallet: optional(wallet),
  splitAddress: optional(address),
  recipients: optional(z.array(z.object({ address, sharesBps: wholeNumber(1, BPS_TOTAL) })).max(MAX_RECIPIENTS)),
});

export type SplitInput = Partial<z.output<typeof splitInput>>;

/** Parses the body of `POST /api/split/deploy`. No body is an empty one. Refuses with `invalid_input`. */
export const parseSplitInput = (body: unknown): SplitInput => parseInput(splitInput, body ?? {});
