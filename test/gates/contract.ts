import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import type { ContractSection } from '../contract/lines/section.ts';
import { contract } from '../contract/lines.ts';
import { root, type Source } from './sources.ts';

/** A test that proves a requirement of the contract. `title` includes the titles of its groups. */
interface Proof {
  readonly line: string;
  readonly path: string;
  readonly title: string;
}

/** `// Contract: orders.items, errors.items-required`, in the comments above a test. */
const MARK = /^\/\/ Contract: (.+)$/;
const MARKED = /^[ \t]*(\/\/ Contract: .+)$/gm;

/** Every test file of the project, as text. */
function testSources(): Source[] {
  return ['src', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((file) => ({ path: relative(root, file), text: readFileSync(file, 'utf8') })),
  );
}

/** The proofs that the tests declare, and the markers without a test below them. */
function readProofs(tests: readonly Source[]): { proofs: Proof[]; faults: string[] } {
  const proofs: Proof[] = [];
  const faults: string[] = [];
  for (const { path, text } of tests) {
    const marks = new Set([...text.matchAll(MARKED)].map((match) => match.index + match[0].indexOf('//')));
    if (marks.size === 0) continue;
    for (const { title, comments } of testsOf(path, text)) {
      for (const { pos, end } of comments) {
        const [, lines] = MARK.exec(text.slice(pos, end)) ?? [];
        if (!lines) continue;
        marks.delete(pos);
        proofs.push(...lines.split(',').map((line) => ({ line: line.trim(), path, title })));
      }
    }
    for (const mark of marks)
      faults.push(`${path}:${text.slice(0, mark).split('\n').length}: no test follows this comment`);
  }
  return { proofs, faults };
}

interface MarkedTest {
  readonly title: string;
  readonly comments: readonly ts.TextRange[];
}

/** The tests of a file, each with the titles of its groups and the comments above it. */
function testsOf(path: string, text: string): MarkedTest[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const found: MarkedTest[] = [];
  const visit = (node: ts.Node, groups: readonly string[]): void => {
    const call = ts.isExpressionStatement(node) && ts.isCallExpression(node.expression) ? node.expression : null;
    const name = call && nameOf(call.expression);
    const [first] = call?.arguments ?? [];
    const title = first && ts.isStringLiteralLike(first) ? first.text : '';
    if (name === 'test' || name === 'it') {
      const comments = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [];
      found.push({ title: [...groups, title].join(' '), comments });
    }
    const inner = name === 'describe' ? [...groups, title] : groups;
    ts.forEachChild(node, (child) => visit(child, inner));
  };
  visit(file, []);
  return found;
}

/** `test` of `test(…)`, `test.each(…)(…)` and `test.skipIf(…)(…)`. */
function nameOf(callee: ts.Expression): string | null {
  if (ts.isIdentifier(callee)) return callee.text;
  if (!ts.isCallExpression(callee) || !ts.isPropertyAccessExpression(callee.expression)) return null;
  return ts.isIdentifier(callee.expression.expression) ? callee.expression.expression.text : null;
}

/** Requirements without a test, proofs of unknown requirements, and markers without a test. */
export function contractFaults(tests: readonly Source[] = testSources(), sections = contract): string[] {
  const { proofs, faults } = readProofs(tests);
  const lines = new Set(sections.flatMap(linesOf).map(([line]) => line));
  const proven = new Set(proofs.map(({ line }) => line));
  return [
    ...faults,
    ...proofs
      .filter(({ line }) => !lines.has(line))
      .map(({ line, path, title }) => `${path}: "${title}" proves ${line}, which test/contract/lines does not list`),
    ...[...lines].filter((line) => !proven.has(line)).map((line) => `test/contract/lines: no test proves ${line}`),
  ];
}

/** The requirements of a section by their full name, `section.line`. */
const linesOf = ({ name, lines }: ContractSection): [line: string, says: string][] =>
  Object.entries(lines).map(([line, says]) => [`${name}.${line}`, says]);
