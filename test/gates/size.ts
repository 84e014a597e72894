import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root, type Source, sources, tests } from './sources.ts';

const MAX_LINES = 700;
const MAX_FUNCTION_LINES = 120;
export const MAX_GENERATED_LINES = 4_000;

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

/** Too many generated lines in git: types are made where they are needed, and texts are short. */
export function generatedFaults(lines = generatedLines()): string[] {
  if (lines <= MAX_GENERATED_LINES) return [];
  return [
    `src: ${lines} generated lines in git, more than the maximum of ${MAX_GENERATED_LINES}: make them in a build`,
  ];
}

/** The lines of generated code under `src` in git. */
export function generatedLines(): number {
  const listed = execFileSync('git', ['ls-files', '--', 'src/**/generated/**'], { cwd: root, encoding: 'utf8' });
  const files = listed.split('\n').filter((path) => path !== '' && existsSync(join(root, path)));
  return files.reduce((sum, path) => sum + readFileSync(join(root, path), 'utf8').trimEnd().split('\n').length, 0);
}
