/**
 * `npm run long -- NAME [options]`: runs one of the programs that take minutes to hours; without a name it lists them.
 */
import { join } from 'node:path';
import { commandOf } from './command.ts';
import { PROGRAMS } from './programs.ts';

const [name, ...given] = process.argv.slice(2);
try {
  if (name === undefined) process.stdout.write(list());
  else run(name, given);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

function list(): string {
  const rows = Object.entries(PROGRAMS).map(([name, { shows, options = {} }]) => {
    const names = Object.keys(options).map((option) => `--${option}`);
    return `  ${name.padEnd(10)}${shows}${names.length > 0 ? ` ${names.join(' ')}` : ''}\n`;
  });
  return `npm run long -- NAME [options]\n\n${rows.join('')}`;
}

/** Replaces this process, so that signals and the exit code are those of the program. */
function run(name: string, given: readonly string[]): void {
  const program = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined;
  if (!program) throw new Error(`There is no program ${name}: ${Object.keys(PROGRAMS).join(', ')}`);
  const { args, env } = commandOf(program, given);
  process.chdir(join(import.meta.dirname, '../..'));
  // The function prints an experimental warning.
  process.removeAllListeners('warning');
  process.execve!(process.execPath, [process.execPath, ...args], { ...process.env, ...env });
}
