import { parseInput } from '../../../../base/core/input.ts';
import type { Wallet } from '../../../../base/core/wallet.ts';
import type { Deps } from '../../../../base/platform/deps.ts';
import { jurisdictionDeletion, jurisdictionInput } from '../jurisdiction.input.ts';
import * as deleting from '../write-jurisdictions.ts';
import * as saving from '../write-jurisdictions.ts';

type WriteDeps = Pick<Deps, 'db' | 'clock' | 'bus' | 'origin'>;

/** The operations of tax jurisdictions with the input of a request, which is parsed first, as the resolvers do. */
export const saveJurisdiction = async (deps: WriteDeps, merchant: Wallet, input: unknown) =>
  saving.saveJurisdiction(deps, merchant, parseInput(jurisdictionInput, input));

export const deleteJurisdiction = async (deps: WriteDeps, merchant: Wallet, code: unknown) =>
  deleting.deleteJurisdiction(deps, merchant, parseInput(jurisdictionDeletion, { code }).code);
