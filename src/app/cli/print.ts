/** Prints a result to stdout: exactly one JSON value with `--json`, else text lines. */
export function print(answer: unknown, json: boolean | undefined, lines: readonly string[]): void {
  process.stdout.write(json ? `${JSON.stringify(answer)}\n` : `${lines.join('\n')}\n`);
}

/** A number with its noun: `counted(1, 'transaction waits', 'transactions wait')`. */
export const counted = (count: number, one: string, several: string): string =>
  `${count} ${count === 1 ? one : several}`;
