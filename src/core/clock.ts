/** Epoch milliseconds. Taken as an argument by whatever needs the time, so that a test can say what time it is. */
export type Clock = () => number;
