/** Returns epoch milliseconds. Code that needs the time takes a clock as an argument, so that a test can set it. */
export type Clock = () => number;
