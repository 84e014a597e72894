import { Command, Option } from 'commander';
import { Refusal } from '../../base/core/errors.ts';
import { ConfigFaults } from '../../base/platform/config/faults.ts';
import { version } from '../../doors/http/server/version.ts';
import type { CommandRow } from './command-row.ts';
import { COMMANDS } from './commands.ts';

const program = new Command('quittance').description('Self-hosted crypto payments').version(version);
for (const row of COMMANDS) register(program, row);

function register(parent: Command, row: CommandRow): void {
  const command = parent.command(row.name).description(row.does);
  for (const argument of row.arguments ?? []) command.addArgument(argument);
  for (const option of row.options ?? []) command.addOption(option);
  if (row.json) command.addOption(new Option('--json', 'print exactly one JSON value'));
  if (row.run) command.action(row.light ? row.run : guarded(row.run));
  for (const below of row.commands ?? []) register(command, below);
}

/** A command whose packages reach nothing by themselves. */
function guarded(run: NonNullable<CommandRow['run']>): NonNullable<CommandRow['run']> {
  return async (...args) => {
    const { refuseOthers } = await import('../../base/outgoing/refuse-others.ts');
    refuseOthers();
    await run(...args);
  };
}

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${faultLines(error).join('\n')}\n`);
  process.exitCode = 1;
  // What a failed command has left open does not keep the process: nothing would start it again.
  setTimeout(() => process.exit(), 10_000).unref();
}

/**
 * The error lines of a failed command: one per configuration error, else one line; unexpected errors with their stack.
 */
function faultLines(error: unknown): readonly string[] {
  if (error instanceof ConfigFaults) return error.lines;
  if (error instanceof Refusal) return [`${error.code}: ${error.message}`];
  const { code, message, stack } = error as NodeJS.ErrnoException;
  return [code ? (message.startsWith(`${code}:`) ? message : `${code}: ${message}`) : (stack ?? message)];
}
