import ts from 'typescript';
import { type Source, sources } from './sources.ts';

/** Attributes that are no text for a reader. */
const CODE_ATTRIBUTES: readonly string[] = ['class', 'rel', 'd', 'href', 'type', 'key', 'style', 'data-stage'];

/** Attributes of elements and components that a reader sees or hears. */
const TEXT_ATTRIBUTES: readonly string[] = [
  'alt',
  'aria-label',
  'action',
  'hint',
  'label',
  'lead',
  'placeholder',
  'text',
  'title',
];

/** Words that begin with a capital one, three small words or more, or one word with the sign of an end. */
const READS_AS_TEXT =
  /^(?:\p{Lu}[\p{L}’-]*(?:[ ,:;]+[\p{L}\d’-]+)+|\p{Ll}[\p{L}’-]*(?: [\p{L}’-]+){2,}|\p{Lu}\p{Ll}+[.?!…:])[.?!…:]?$/u;
/** More than a code such as `USD`. */
const HAS_WORD = /\p{L}\p{Ll}/u;

/** The texts of a source that stand in the source, and not in a file of messages, with their lines. */
export function literalTexts({ path, text }: Source): { readonly line: number; readonly text: string }[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: { line: number; text: string }[] = [];
  const report = (node: ts.Node, said: string) =>
    found.push({ line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1, text: said.trim() });
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isJsxAttribute(node)) {
      const name = node.name.getText(file);
      if (CODE_ATTRIBUTES.includes(name)) return;
      const value = node.initializer;
      if (value && ts.isStringLiteral(value) && TEXT_ATTRIBUTES.includes(name) && HAS_WORD.test(value.text))
        return void report(value, value.text);
    }
    if (ts.isJsxText(node) && HAS_WORD.test(node.text)) report(node, node.text);
    if (ts.isStringLiteralLike(node) && READS_AS_TEXT.test(node.text)) report(node, node.text);
    if (ts.isTemplateExpression(node)) {
      const parts = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
      const said = parts.find((part) => READS_AS_TEXT.test(part.trim()));
      if (said !== undefined) report(node, parts.join('…'));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Sources of the console that no reader of the console sees: the server's routes, with the made-up sample order. */
const EXCEPT: readonly string[] = ['src/doors/pages/console/mount.ts'];

const isConsole = (path: string): boolean =>
  path.startsWith('src/doors/pages/console/') && !/\.test\.tsx?$|\/generated\//.test(path) && !EXCEPT.includes(path);

/** Texts of the console that are not in its files of messages. */
export const literalTextFaults = (files: readonly Source[] = sources()): string[] =>
  files
    .filter(({ path }) => isConsole(path))
    .flatMap((file) =>
      literalTexts(file).map(
        ({ line, text }) => `${file.path}:${line}: “${text}” is a text: put it into src/base/core/messages/console*`,
      ),
    );
