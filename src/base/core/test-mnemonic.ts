/** The common mnemonic of local test chains. It is public, so its keys must not hold value on any other chain. */
export const TEST_MNEMONIC = 'test test test test test test test test test test test junk';
