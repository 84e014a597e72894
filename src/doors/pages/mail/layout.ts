import { colonOf, directionOf, type Language } from '../../../base/core/messages/languages.ts';
import { type Html, html, toMarkup, trusted } from '../shared/html.ts';

/** A text, and the same with names and amounts that keep their direction. */
export interface Said {
  readonly text: string;
  readonly html: Html;
}

/** What a message says, in the order in which it is read. */
export interface Content {
  readonly language: Language;
  readonly title: Said;
  readonly text: Said;
  /** What was bought, with the amounts; the last one is the total. */
  readonly lines: readonly { readonly label: string; readonly amount: string }[];
  /** Below the lines: how many of them are not shown. */
  readonly more: string | null;
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  readonly action: { readonly label: string; readonly url: string } | null;
  readonly foot: readonly Said[];
  /** Ends such messages. */
  readonly stop: { readonly label: string; readonly url: string } | null;
}

/** Readers of mail know few styles; those of the dark mode are in a block, which the others leave out. */
const STYLE = {
  body: 'margin:0;padding:24px 12px;background:#f4f4f5;color:#18181b;font:16px/1.5 system-ui,-apple-system,Segoe UI,Roboto,Arial,sans-serif;word-break:break-word',
  card: 'max-width:560px;margin:0 auto;padding:28px 24px;background:#ffffff;border-radius:12px',
  title: 'margin:0 0 12px;font-size:22px;line-height:1.3;font-weight:600',
  text: 'margin:0 0 20px',
  table: 'width:100%;border-collapse:collapse;margin:0 0 20px',
  label: 'padding:8px 0;border-top:1px solid #d4d4d8;text-align:start;font-weight:400;vertical-align:top',
  value: 'padding:8px 0;padding-inline-start:12px;border-top:1px solid #d4d4d8;text-align:end;vertical-align:top',
  whole: 'white-space:nowrap',
  strong: 'font-weight:600',
  button:
    'display:inline-block;padding:12px 20px;background:#18181b;color:#ffffff;border-radius:8px;text-decoration:none;font-weight:600',
  foot: 'max-width:560px;margin:16px auto 0;padding:0 24px;font-size:14px;color:#52525b',
  link: 'color:#52525b;text-decoration:underline',
} as const;

const DARK = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){.b{background:#18181b!important;color:#f4f4f5!important}.c{background:#27272a!important}
.l{border-color:#52525b!important}.a{background:#f4f4f5!important;color:#18181b!important}.f,.f a{color:#d4d4d8!important}}`;

/** The message for readers that show HTML: without pictures, scripts and anything that is fetched. */
export function htmlOf(content: Content): string {
  const { language, title, text, lines, more, facts, action, foot, stop } = content;
  // Of a name and an amount the name wraps, of a word of this program and a number the number.
  const row = (label: string, value: string, whole: 'label' | 'value', strong = false) => {
    const styleOf = (cell: 'label' | 'value') =>
      `${STYLE[cell]}${cell === whole ? `;${STYLE.whole}` : ''}${strong ? `;${STYLE.strong}` : ''}`;
    return html`<tr><th class="l" scope="row" style="${styleOf('label')}"><bdi>${label}</bdi></th><td class="l" style="${styleOf('value')}"><bdi>${value}</bdi></td></tr>\n`;
  };
  const table = (rows: readonly Html[]) => rows.length > 0 && html`<table style="${STYLE.table}">${rows}</table>\n`;
  return toMarkup(html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title.text}</title>
<style>${trusted(DARK)}</style>
</head>
<body class="b" style="${STYLE.body}">
<main class="c" style="${STYLE.card}">
<h1 style="${STYLE.title}">${title.html}</h1>
<p style="${STYLE.text}">${text.html}</p>
${table(lines.map(({ label, amount }, at) => row(label, amount, 'value', at === lines.length - 1)))}${more && html`<p style="${STYLE.text}">${more}</p>\n`}${table(facts.map(({ label, value }) => row(label, value, 'label')))}${action && html`<p style="margin:0"><a class="a" href="${action.url}" style="${STYLE.button}">${action.label}</a></p>\n`}</main>
<footer class="f" style="${STYLE.foot}">
${foot.map((line) => html`<p style="margin:0 0 4px">${line.html}</p>\n`)}${stop && html`<p style="margin:0"><a href="${stop.url}" style="${STYLE.link}">${stop.label}</a></p>\n`}</footer>
</body>
</html>
`);
}

/** The same as plain text. */
export function textOf({ language, title, text, lines, more, facts, action, foot, stop }: Content): string {
  const colon = colonOf(language);
  const blocks = [
    [title.text],
    [text.text],
    lines.map(({ label, amount }) => label + colon + amount),
    [more],
    facts.map(({ label, value }) => label + colon + value),
    action ? [(action.label + colon).trimEnd(), action.url] : [],
    ['-- ', ...foot.map((line) => line.text), stop && stop.label + colon + stop.url],
  ];
  return `${blocks
    .map((block) => block.filter((line) => line !== null).join('\n'))
    .filter((block) => block !== '')
    .join('\n\n')}\n`;
}
