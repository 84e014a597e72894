import { parseInput } from '../../../../base/core/input.ts';
import type { Wallet } from '../../../../base/core/wallet.ts';
import type { Deps } from '../../../../base/platform/deps.ts';
import { itemDeletion, itemInput } from '../item.input.ts';
import { itemQuery } from '../item-query.input.ts';
import * as listing from '../list-items.ts';
import * as deleting from '../write-item.ts';
import * as saving from '../write-item.ts';

/** The operations of the catalog with the input of a request, which is parsed first, as the resolvers do. */
export const saveItem = async (deps: Pick<Deps, 'db' | 'clock'>, merchant: Wallet, input: unknown) =>
  saving.saveItem(deps, merchant, parseInput(itemInput, input));

export const deleteItem = async (deps: Pick<Deps, 'db' | 'clock'>, merchant: Wallet, id: unknown) =>
  deleting.deleteItem(deps, merchant, parseInput(itemDeletion, { id }).id);

export const readItemPage = async (deps: Pick<Deps, 'db'>, merchant: Wallet, query: unknown) =>
  listing.readItemPage(deps, merchant, parseInput(itemQuery, query));

export const listItems = (deps: Pick<Deps, 'db'>, merchant: Wallet, query: unknown) =>
  listing.listItems(deps, merchant, parseInput(itemQuery, query));
