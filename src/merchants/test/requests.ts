import { parseInput } from '../../core/input.ts';
import type { Wallet } from '../../core/wallet.ts';
import type { Deps } from '../../platform/deps.ts';
import { shopInput } from '../shop.input.ts';
import * as writing from '../write-shop.ts';

/** Writes a shop with the input of a request, which is parsed first, as the resolver does. */
export const writeShop = async (
  deps: Pick<Deps, 'orm' | 'sql' | 'clock' | 'bus' | 'origin' | 'chains'>,
  merchant: Wallet,
  input: unknown,
) => writing.writeShop(deps, merchant, parseInput(shopInput, input));
