import { type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/**
 * Creates the process's logger: JSON lines on stderr, because commands write their results to stdout. Credentials are
 * redacted.
 */
export function createLog(level: string): Logger {
  return pino(
    {
      level,
      base: null,
      redact: {
        paths: [
          'req.headers',
          'headers',
          '*.headers',
          'key',
          '*.key',
          'signature',
          '*.signature',
          'cookie',
          '*.cookie',
          'token',
          '*.token',
          'privateKey',
          '*.privateKey',
        ],
        censor: '[redacted]',
      },
    },
    process.stderr,
  );
}
