/** Returns for how many seconds the transaction has held back events; 0 for the id 0, which is none. */
export type HoldWatch = (transactionId: number, nowMs: number) => number;

/**
 * Measures for how long one transaction holds back events, from successive readings of its id. PostgreSQL shows when a
 * transaction began only to a role that may see the sessions of others.
 */
export function createHoldWatch(): HoldWatch {
  let seen = { transactionId: 0, sinceMs: 0 };
  return (transactionId, nowMs) => {
    if (transactionId !== seen.transactionId) seen = { transactionId, sinceMs: nowMs };
    return transactionId === 0 ? 0 : (nowMs - seen.sinceMs) / 1_000;
  };
}
