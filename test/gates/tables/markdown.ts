/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Text as Markdown code. */
export const code = (text: string): string => `\`${text}\``;
/** Texts as Markdown code, separated by commas. */
export const codes = (texts: Iterable<string>): string => [...texts].map(code).join(', ');
