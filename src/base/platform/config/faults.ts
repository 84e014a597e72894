/**
 * The faults of the configuration: one line per fault with the variable, the problem and an example. Light commands
 * load this file, so it imports nothing.
 */
export class ConfigFaults extends Error {
  readonly lines: readonly string[];
  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'ConfigFaults';
    this.lines = lines;
  }
}
