/** Writes an answer to stdout: with `--json` exactly one JSON value, else lines for a person. */
export function print(answer: unknown, json: boolean | undefined, lines: readonly string[]): void {
  process.stdout.write(json ? `${JSON.stringify(answer)}\n` : `${lines.join('\n')}\n`);
}
