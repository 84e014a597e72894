import { parseInput } from '../../../../base/core/input.ts';
import type { Wallet } from '../../../../base/core/wallet.ts';
import { searchQuery } from '../search.input.ts';
import * as searching from '../search.ts';
import * as presence from '../set-presence.ts';
import * as profiles from '../upsert-user.ts';
import { presenceInput, userInput } from '../user.input.ts';

/** The operations of users with the input of a request, which is parsed first, as the resolvers do. */
export const searchUsers = async (deps: Parameters<typeof searching.searchUsers>[0], query: unknown) =>
  searching.searchUsers(deps, parseInput(searchQuery, query));

export const setPresence = async (deps: Parameters<typeof presence.setPresence>[0], wallet: Wallet, input: unknown) =>
  presence.setPresence(deps, wallet, parseInput(presenceInput, input));

export const upsertUser = async (deps: Parameters<typeof profiles.upsertUser>[0], wallet: Wallet, input: unknown) =>
  profiles.upsertUser(deps, wallet, parseInput(userInput, input));
