import { parseInput } from '../../../../base/core/input.ts';
import type { Wallet } from '../../../../base/core/wallet.ts';
import type { Deps } from '../../../../base/platform/deps.ts';
import { shopInput } from '../shop.input.ts';
import * as writing from '../write-shop.ts';

/** Writes a shop with the input of a request, which is parsed first, as the resolver does. */
export const writeShop = async (
  deps: Pick<Deps, 'db' | 'clock' | 'bus' | 'origin' | 'chains'>,
  merchant: Wallet,
  input: unknown,
) => writing.writeShop(deps, merchant, parseInput(shopInput, input));
