import { type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/**
 * The process's log: JSON lines on stderr (stdout belongs to the commands' answers). What proves an identity never reaches it, whatever is logged.
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
