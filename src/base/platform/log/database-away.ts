/** Errors that mean that the server is gone or shutting down, not that the statement is wrong. */
const AWAY =
  /terminat|ECONN|EPIPE|ETIMEDOUT|timeout|not queryable|Connection ended|starting up|shutting down|recovery mode/i;

/**
 * The server takes no writes: it is a standby, also one that has been elected and is not the primary yet. A write that
 * needs a transaction's number or a lock fails there with the second form.
 */
const READ_ONLY = '25006';
const IN_RECOVERY = /(?:during|while) recovery/i;

/** Whether an error means that the database cannot be reached or written, rather than that it refused a statement. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: string }).code ?? '';
  if (code === READ_ONLY || IN_RECOVERY.test(error.message)) return true;
  return code.startsWith('57P') || code.startsWith('08') || AWAY.test(code) || AWAY.test(error.message);
}
