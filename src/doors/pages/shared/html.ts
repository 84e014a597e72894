/**
 * A tagged template that escapes every value. Only the result of another `html` template passes unescaped:
 * it is marked by a symbol, which no external text or JSON can contain.
 */
const mark = Symbol('html');

export interface Html {
  readonly [mark]: string;
}

export type Part = string | number | Html | null | undefined | boolean | readonly Part[];

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text for an element's content or a quoted attribute. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}

function isHtml(part: unknown): part is Html {
  return typeof part === 'object' && part !== null && mark in part;
}

function markupOf(part: Part): string {
  if (part === null || part === undefined || typeof part === 'boolean') return '';
  if (Array.isArray(part)) return part.map(markupOf).join('');
  if (isHtml(part)) return part[mark];
  return escapeHtml(String(part));
}

/** Markup with every value escaped. `null`, `undefined`, `true` and `false` render nothing; arrays are joined. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  let markup = strings[0] ?? '';
  parts.forEach((part, index) => {
    markup += markupOf(part) + (strings[index + 1] ?? '');
  });
  return { [mark]: markup };
}

/**
 * Marks a string as markup. Only for markup that this program generates (an SVG, a style block), never for stored text.
 */
export function trusted(markup: string): Html {
  return { [mark]: markup };
}

/** What keeps its direction in every language: an amount, an address, a hash, a name. */
export const own = (part: Part): Html => html`<bdi>${part}</bdi>`;

/** The finished markup as a string. */
export function toMarkup(part: Html): string {
  return part[mark];
}
