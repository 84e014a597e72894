import { parseInput } from '../../../../base/core/input.ts';
import type { Wallet } from '../../../../base/core/wallet.ts';
import type { Db } from '../../../../base/platform/db.ts';
import type { Deps } from '../../../../base/platform/deps.ts';
import { itemDeletion, itemInput } from '../item.input.ts';
import { itemQuery } from '../item-query.input.ts';
import * as listing from '../list-items.ts';
import * as deleting from '../write-item.ts';
import * as saving from '../write-item.ts';

type RequestsDeps = Pick<Deps, 'db' | 'clock'>;

/** The operations of the catalog with the input of a request, which is parsed first, as the resolvers do. */
export const saveItem = async (deps: RequestsDeps, merchant: Wallet, input: unknown) =>
  saving.saveItem(deps, merchant, parseInput(itemInput, input));

export const deleteItem = async (deps: RequestsDeps, merchant: Wallet, id: unknown) =>
  deleting.deleteItem(deps, merchant, parseInput(itemDeletion, { id }).id);

export const readItemPage = async (db: Db, merchant: Wallet, query: unknown) =>
  listing.readItemPage(db, merchant, parseInput(itemQuery, query));

export const listItems = (db: Db, merchant: Wallet, query: unknown) =>
  listing.listItems(db, merchant, parseInput(itemQuery, query));
