import { wordFor, words } from '../shared/words.ts';

/** The name of a network. Local ones have none of their own. */
export const networkName = (chainId: number, name: string): string => wordFor(words.localChains, `${chainId}`) ?? name;
