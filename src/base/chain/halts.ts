/** Each node has words of its own for code that failed. */
const OUT_OF_GAS = /out ?of ?gas|gas required exceeds|\b\w*OOG\b/i;
const HALT = /revert|\bE?VM (?:execution )?error|invalid ?(fe ?)?(opcode|jump)|stack ?(under|over)flow/i;

/** Whether a node says that the code of a contract ran out of gas. */
export const saysOutOfGas = (words: string): boolean => OUT_OF_GAS.test(words);

/** Whether a node says that the code of a contract ran and failed, so that the node itself works. */
export const saysHalt = (words: string): boolean => HALT.test(words) || saysOutOfGas(words);
