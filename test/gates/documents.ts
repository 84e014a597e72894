import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from './sources.ts';
import { tables } from './tables.ts';

/** A document of the project, by its path from the root. */
export interface Document {
  readonly path: string;
  readonly text: string;
}

/** The text between `<!-- made: NAME -->` and `<!-- /made -->` is generated from the code. */
const MADE = /<!-- made: ([\w-]+) -->\n([\s\S]*?)<!-- \/made -->/g;

/** The documents in the root folder and everything under docs/. */
export function documents(): Document[] {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
  const inRoot = readdirSync(root).filter((name) => name.endsWith('.md'));
  return [...inRoot.sort(), ...docs.sort()].map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

/** A document's text with every generated part brought up to date. Throws for an unknown part. */
export function remade({ path, text }: Document, made: Readonly<Record<string, () => string>> = tables): string {
  return text.replace(MADE, (_whole, name: string) => {
    const make = made[name];
    if (!make) throw new Error(`${path}: unknown generated part "${name}"`);
    return `<!-- made: ${name} -->\n\n${make().trim()}\n\n<!-- /made -->`;
  });
}

/** Generated parts that are outdated, and parts that no document contains. */
export function driftFaults(all: readonly Document[] = documents(), made = tables): string[] {
  const shown = new Set(all.flatMap(({ text }) => [...text.matchAll(MADE)].map(([, name]) => name)));
  return [
    ...all
      .filter((document) => remade(document, made) !== document.text)
      .map(({ path }) => `${path}: a generated part is outdated: run npm run check -- --write`),
    ...Object.keys(made)
      .filter((name) => !shown.has(name))
      .map((name) => `test/gates/tables: no document contains "${name}"`),
  ];
}

/** Brings the generated parts of all documents up to date. */
export function writeDocuments(): void {
  for (const document of documents()) writeFileSync(join(root, document.path), remade(document));
}

/** Links to missing files of the project, or to missing headings of its documents. */
export function linkFaults(all: readonly Document[] = documents()): string[] {
  return all.flatMap(({ path, text }) =>
    [...withoutCode(text).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].flatMap(([, link]) => {
      const [file, anchor] = (link as string).split('#', 2) as [string, string | undefined];
      const target = file === '' ? path : join(dirname(path), file);
      if (!existsSync(join(root, target))) return [`${path}: ${link} does not exist`];
      if (anchor === undefined || !target.endsWith('.md')) return [];
      const headings = readFileSync(join(root, target), 'utf8').matchAll(/^#+ (.+)$/gm);
      return [...headings].some(([, heading]) => slugOf(heading as string) === anchor)
        ? []
        : [`${path}: ${target} has no heading #${anchor}`];
    }),
  );
}

const withoutCode = (text: string): string => text.replace(/```[\s\S]*?```|`[^`\n]*`/g, '');

/** A heading's anchor, as GitHub makes it. */
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
