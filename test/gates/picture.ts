import { dirname, join } from 'node:path';
import { folderOf, IMPORT, ORDER } from './imports.ts';
import { sources } from './sources.ts';

/** The folders of `src` and their imports as a Mermaid diagram, without arrows that follow from others. */
export function importPicture(): string {
  const imports = folderImports();
  const arrows = [...imports].flatMap(([from, targets]) =>
    [...targets]
      .filter((to) => ![...targets].some((between) => between !== to && reaches(imports, between, to)))
      .toSorted((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))
      .map((to) => `  ${nodeOf(from)} --> ${nodeOf(to)}`),
  );
  const nodes = ORDER.toReversed().map((folder) => `  ${nodeOf(folder)}["${folder === '.' ? 'app.ts' : folder}"]`);
  return ['```mermaid', 'flowchart TD', ...nodes, ...arrows, '```'].join('\n');
}

/** For each folder, in reverse import order, the folders that its product code imports from. */
function folderImports(): Map<string, Set<string>> {
  const imports = new Map(ORDER.toReversed().map((folder) => [folder, new Set<string>()]));
  for (const { path, text } of sources()) {
    if (path.includes('.test.') || path.includes('/test/')) continue;
    const from = folderOf(path);
    for (const match of text.matchAll(IMPORT)) {
      const target = join(dirname(path), (match[1] ?? match[2] ?? match[3]) as string);
      const to = folderOf(target);
      if (target.startsWith('src/') && to !== from) imports.get(from)?.add(to);
    }
  }
  return imports;
}

/** Whether one folder imports from another, directly or through others. Violations of the import order are ignored. */
function reaches(imports: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  const below = [...(imports.get(from) ?? [])].filter((next) => ORDER.indexOf(next) < ORDER.indexOf(from));
  return below.some((next) => next === to || reaches(imports, next, to));
}

const nodeOf = (folder: string): string => (folder === '.' ? 'root' : folder);
