import { type Argument, Option } from 'commander';

/** A command of the command line. */
export interface CommandRow {
  /** Its name, and the arguments that need no more than a name. */
  readonly name: string;
  readonly does: string;
  readonly arguments?: readonly Argument[];
  readonly options?: readonly Option[];
  /** Whether `--json` makes it print exactly one JSON value. */
  readonly json?: true;
  readonly run?: (...args: unknown[]) => Promise<void>;
  /** It loads no package that could send anything by itself, and starts at once. */
  readonly light?: true;
  /** The commands below it. */
  readonly commands?: readonly CommandRow[];
}

/** Loads a command on its first use, because loading the whole server takes longer than most commands. */
export const lazily =
  <Verbs extends Record<Verb, (...args: never[]) => Promise<void>>, Verb extends string>(
    load: () => Promise<Verbs>,
    verb: Verb,
  ) =>
  async (...args: unknown[]): Promise<void> =>
    (await load())[verb](...(args as never[]));

/** An option. `parse` reads its text; it gets what an option that may be given again has gathered before. */
export const option = <Value>(flags: string, does: string, parse?: (text: string, before: Value) => Value): Option => {
  const made = new Option(flags, does);
  return parse ? made.argParser(parse) : made;
};
/** An option that must be given. */
export const required = <Value>(flags: string, does: string, parse?: (text: string, before: Value) => Value): Option =>
  option(flags, does, parse).makeOptionMandatory();
