/** Errors that mean that the server is gone or shutting down, not that the statement is wrong. */
const AWAY =
  /terminat|ECONN|EPIPE|ETIMEDOUT|timeout|not queryable|Connection ended|starting up|shutting down|recovery mode/i;

/** Whether an error means that the database cannot be reached, rather than that it refused a statement. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: string }).code ?? '';
  return code.startsWith('57P') || code.startsWith('08') || AWAY.test(code) || AWAY.test(error.message);
}
