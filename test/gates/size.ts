import ts from 'typescript';
import { type Source, sources, tests } from './sources.ts';

const MAX_LINES = 700;
const MAX_FUNCTION_LINES = 120;

/** Files, and functions of the source, with more than the maximum number of lines. */
export const sizeFaults = (files: readonly Source[] = [...sources(), ...tests()]): string[] =>
  files.flatMap((file) => [...fileFaults(file), ...functionFaults(file)]);

function fileFaults({ path, text }: Source): string[] {
  const lines = text.split('\n').length;
  return lines > MAX_LINES ? [`${path}: ${lines} lines, more than the maximum of ${MAX_LINES}: split it`] : [];
}

/** Each function counts with the functions inside it. */
function functionFaults({ path, text }: Source): string[] {
  // A test's function describes a scene; it may be long.
  if (!path.startsWith('src/') || /\.test\.tsx?$|\/test\//.test(path)) return [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const faults: string[] = [];
  const lineAt = (position: number) => file.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) {
      const first = lineAt(node.getStart(file));
      const lines = lineAt(node.end) - first + 1;
      if (lines > MAX_FUNCTION_LINES)
        faults.push(
          `${path}:${first}: a function of ${lines} lines, more than the maximum of ${MAX_FUNCTION_LINES}: cut it`,
        );
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return faults;
}
