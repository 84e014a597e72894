import { expect } from 'vitest';
import { type Program, runQuittance } from '../../support/program.ts';

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly tookMs: number;
}

/** Commands of one installation: `env` is theirs. */
export function commands(env: Readonly<Record<string, string>>) {
  const start = (...args: string[]): Program => runQuittance(args, { env: { LOG_LEVEL: 'warn', ...env } });
  const run = async (...args: string[]): Promise<Ran> => {
    const begun = performance.now();
    const program = start(...args);
    const { code } = await program.exit;
    return { code, stdout: program.stdout(), stderr: program.stderr(), tookMs: performance.now() - begun };
  };
  return {
    start,
    run,
    /** With `--json`: exactly one JSON value on stdout, and nothing else anywhere. */
    async json(...args: string[]) {
      const { code, stdout, stderr } = await run(...args, '--json');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/^[^\n]+\n$/);
      return JSON.parse(stdout);
    },
    /** A refusal: exit code 1, nothing on stdout, one line on stderr. */
    async refused(...args: string[]): Promise<string> {
      const { code, stdout, stderr } = await run(...args, '--json');
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^[^\n]+\n$/);
      return stderr.trim();
    },
  };
}
