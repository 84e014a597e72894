/** What stops a start: one line per fault, each naming the variable, what is wrong with it, and an example. */
export class ConfigFaults extends Error {
  readonly lines: readonly string[];
  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'ConfigFaults';
    this.lines = lines;
  }
}
