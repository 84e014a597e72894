/** The usual mnemonic of local test chains. Everybody knows these words, and so the keys: they are worth nothing on any other chain. */
export const TEST_MNEMONIC = 'test test test test test test test test test test test junk';
