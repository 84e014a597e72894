/** The local development chain: anvil's default id. */
export const LOCAL_CHAIN_ID = 31337;

/** The second local chain, which makes blocks more slowly. */
export const SLOW_CHAIN_ID = 31338;

/** Whether a chain is one of the local development chains, where test tokens and test accounts exist. */
export const isLocalChain = (chainId: number): boolean => chainId === LOCAL_CHAIN_ID || chainId === SLOW_CHAIN_ID;

/** The common mnemonic of local test chains. It is public, so its keys must not hold value on any other chain. */
export const TEST_MNEMONIC = 'test test test test test test test test test test test junk';
