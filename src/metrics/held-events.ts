/**
 * Measures for how long one transaction holds back events, in seconds, from successive readings of its id; 0
 * means none. PostgreSQL shows when a transaction began only to a role that may see the sessions of others.
 */
export function createHoldWatch(): (transactionId: number, nowMs: number) => number {
  let seen = { transactionId: 0, sinceMs: 0 };
  return (transactionId, nowMs) => {
    if (transactionId !== seen.transactionId) seen = { transactionId, sinceMs: nowMs };
    return transactionId === 0 ? 0 : (nowMs - seen.sinceMs) / 1_000;
  };
}
