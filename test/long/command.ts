import { parseArgs } from 'node:util';
import type { LongProgram } from './programs.ts';

/** The arguments of Node that run a program, and what the environment has in addition. */
export interface Command {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The command of a program with the given arguments. Its own options are variables; an option wins over the
 * environment, which wins over the value of the table. Other arguments go to the program. Throws if an option has no
 * value.
 */
export function commandOf({ run, env = {}, options = {} }: LongProgram, given: readonly string[]): Command {
  if ('node' in run) return { args: [run.node, ...given], env };
  const { tokens } = parseArgs({
    args: [...given],
    options: Object.fromEntries(Object.keys(options).map((name) => [name, { type: 'string' }])),
    strict: false,
    tokens: true,
  });
  const set: Record<string, string> = {};
  const taken = new Set<number>();
  for (const token of tokens) {
    const variable = token.kind === 'option' && Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (token.kind !== 'option' || variable === undefined) continue;
    if (token.value === undefined) throw new Error(`${token.rawName} needs a value`);
    set[variable] = token.value;
    taken.add(token.index);
    if (!token.inlineValue) taken.add(token.index + 1);
  }
  const rest = given.filter((_, i) => !taken.has(i));
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts'];
  const present = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, process.env[name] || value]));
  return { args: [...vitest, ...run.vitest, ...rest], env: { ...present, ...set } };
}
