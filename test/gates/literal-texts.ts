import ts from 'typescript';
import { type Source, sources } from './sources.ts';

/** Attributes of a component that are no text for a reader. */
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

/** Attributes of markup and properties of elements that a reader sees or hears. */
const READ_ATTRIBUTES =
  /^(?:alt|aria-(?:label|description|placeholder|roledescription|valuetext)|content|label|placeholder|title|value)$/;
const READ_PROPERTIES = /^(?:textContent|innerText|title|alt|placeholder|label|aria[A-Z]\w+|\w*(?:Label|Title|Text))$/;

/** Words that begin with a capital one, three small words or more, or one word with the sign of an end. */
const READS_AS_TEXT =
  /^(?:\p{Lu}[\p{L}’-]*(?:[ ,:;]+[\p{L}\d’-]+)+|\p{Ll}[\p{L}’-]*(?: [\p{L}’-]+){2,}|\p{Lu}\p{Ll}+[.?!…:])[.?!…:]?$/u;
const STYLE = /^[a-z-]+:\S/;
/** More than a code such as `USD`. */
const HAS_WORD = /\p{L}\p{Ll}/u;

/** The texts of a source that stand in the source, and not in a file of messages, with their lines. */
export function literalTexts({ path, text }: Source): { readonly line: number; readonly text: string }[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: { line: number; text: string }[] = [];
  const report = (node: ts.Node, said: string) =>
    NAMES.includes(said) ||
    found.push({ line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1, text: said.trim() });
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || isForPrograms(node)) return;
    if (ts.isJsxAttribute(node)) {
      const name = node.name.getText(file);
      if (CODE_ATTRIBUTES.includes(name)) return;
      const value = node.initializer;
      if (value && ts.isStringLiteral(value) && TEXT_ATTRIBUTES.includes(name) && HAS_WORD.test(value.text))
        return void report(value, value.text);
    }
    if (ts.isJsxText(node) && HAS_WORD.test(node.text)) report(node, node.text);
    if (ts.isStringLiteralLike(node) && READS_AS_TEXT.test(node.text)) report(node, node.text);
    if (ts.isStringLiteralLike(node) && HAS_WORD.test(node.text) && !STYLE.test(node.text) && isSaid(node))
      report(node, node.text);
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText(file) === 'html')
      for (const said of textsOfMarkup(isInTag(node) ? `<a ${markupOf(node.template)}>` : markupOf(node.template)))
        report(node, said);
    else if (ts.isTemplateExpression(node)) {
      const parts = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
      const said = parts.find((part) => READS_AS_TEXT.test(part.trim()));
      if (said !== undefined) report(node, parts.join('…'));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Sentences of the API, reasons in records and comparisons: programs and operators read them. */
function isForPrograms(node: ts.Node): boolean {
  if (ts.isPropertyAssignment(node)) return node.name.getText() === 'dropped';
  if (ts.isCallExpression(node)) return node.expression.getText() === 'refuse';
  return (
    ts.isStringLiteral(node) &&
    ts.isBinaryExpression(node.parent) &&
    /^[!=]==$/.test(node.parent.operatorToken.getText())
  );
}

/** Whether a literal becomes what an element says: `button.textContent = found || 'Pay'`, `{ title = 'Payment' }`. */
function isSaid(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) {
    const { kind } = parent.operatorToken;
    if (kind === ts.SyntaxKind.EqualsToken)
      return ts.isPropertyAccessExpression(parent.left) && READ_PROPERTIES.test(parent.left.name.text);
    return [ts.SyntaxKind.BarBarToken, ts.SyntaxKind.QuestionQuestionToken].includes(kind) && isSaid(parent);
  }
  if (ts.isConditionalExpression(parent)) return node !== parent.condition && isSaid(parent);
  if (ts.isBindingElement(parent)) return READ_PROPERTIES.test((parent.propertyName ?? parent.name).getText());
  if (ts.isPropertyAssignment(parent)) return READ_PROPERTIES.test(parent.name.getText());
  if (!ts.isCallExpression(parent)) return false;
  const [name, value] = parent.arguments;
  return /\.setAttribute$/.test(parent.expression.getText())
    ? value === node && !!name && ts.isStringLiteral(name) && READ_ATTRIBUTES.test(name.text)
    : /(?:^|\.)(?:announce|append|prepend|replaceChildren)$/.test(parent.expression.getText());
}

/** The sign that stands for a value of a template: it is no letter, and no sign of markup. */
const VALUE = '\ufffc';

const markupOf = (template: ts.TemplateLiteral): string =>
  ts.isTemplateExpression(template)
    ? [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)].join(VALUE)
    : template.text;

/** Whether markup stands between the name of a tag and its end: `<option ${isNew && html`selected`}>`. */
function isInTag(node: ts.TaggedTemplateExpression): boolean {
  let at: ts.Node = node;
  while (!ts.isTemplateSpan(at)) {
    if (ts.isSourceFile(at) || ts.isFunctionDeclaration(at))
      return /^(?:\s*[\w-]+="[^"]*")+$/.test(markupOf(node.template));
    at = at.parent;
  }
  const { head, templateSpans } = at.parent;
  const before = [head, ...templateSpans.slice(0, templateSpans.indexOf(at)).map(({ literal }) => literal)];
  return /<[^>]*$/.test(
    before
      .map(({ text }) => text)
      .join(VALUE)
      .replaceAll(/"[^"]*"/g, ''),
  );
}

const TOKEN =
  /<!--.*?-->|<![^>]*>|<(?<raw>script|style)\b.*?<\/\k<raw>>|<\/?(?<tag>[a-z][\w-]*)(?<attributes>(?:"[^"]*"|'[^']*'|[^>"'])*)>|(?<text>[^<]+)/gis;
const ATTRIBUTE = /(?<name>[\w-]+)=(?:"(?<double>[^"]*)"|'(?<single>[^']*)')/g;

/** The texts of markup that a reader sees or hears. The value of a field is what is sent; that of a button is read. */
function textsOfMarkup(markup: string): string[] {
  return [...markup.matchAll(TOKEN)].flatMap(({ groups: { tag, attributes = '', text } = {} }) => {
    const said = [...attributes.matchAll(ATTRIBUTE)].flatMap(({ groups: { name = '', double, single } = {} }) => {
      const isField = name === 'value' && !/\btype="(?:submit|button|reset)"/.test(attributes);
      const isRead = READ_ATTRIBUTES.test(name) && !isField && !(name === 'content' && tag === 'meta');
      return isRead ? [double ?? single ?? ''] : [];
    });
    return [text ?? '', ...said].filter((part) => HAS_WORD.test(part.replaceAll(/&\w+;/g, ' ')));
  });
}

/** Sources of pages that no buyer and no reader of the console sees, each with why. */
const EXCEPT: readonly (readonly [path: RegExp, why: string])[] = [
  [/^src\/doors\/pages\/(?:graphql-)?reference\//, 'references for developers, who read the API in English'],
  [/^src\/doors\/pages\/app\//, 'the files of pages, whose errors operators read'],
  [/^src\/doors\/pages\/console\/mount\.ts$/, 'routes, with the lines of the made-up sample order'],
];

/** Names that stay as they are in every language, and the sign of an address. */
const NAMES: readonly string[] = ['Coinbase Wallet', 'Trust Wallet', 'Sandbox Card Provider', 'you@example.com'];

const isPage = (path: string): boolean =>
  (path.startsWith('src/doors/pages/') || path === 'src/client/checkout.ts') &&
  !/\.test\.tsx?$|\/(?:generated|test)\//.test(path) &&
  !EXCEPT.some(([except]) => except.test(path));

/** Texts of pages that are not in the files of messages. */
export const literalTextFaults = (files: readonly Source[] = sources()): string[] =>
  files
    .filter(({ path }) => isPage(path))
    .flatMap((file) =>
      literalTexts(file).map(
        ({ line, text }) => `${file.path}:${line}: “${text}” is a text: put it into src/base/core/messages`,
      ),
    );
