import { LOCAL_CHAIN_ID, SLOW_CHAIN_ID } from '../core/local-chains.ts';
import { paceOf } from './finality.ts';

const LOCAL_NAMES: Readonly<Record<number, string>> = {
  [LOCAL_CHAIN_ID]: 'the local test chain',
  [SLOW_CHAIN_ID]: 'the second local test chain',
};

/** The name of a chain for people. */
export const chainName = (chainId: number): string =>
  LOCAL_NAMES[chainId] ?? (isKnown(chainId) ? paceOf(chainId).name : `chain ${chainId}`);

/** What is known of a chain that is not in the table is what is known of any other one. */
const isKnown = (chainId: number): boolean => paceOf(chainId) !== paceOf(0);
