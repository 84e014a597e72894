import { z } from 'zod';
import { BILLING_SPELLINGS, OPTION_SPELLINGS } from '../../domain/sales/receipts/options.ts';
import type { Route } from './routes/route.ts';

/** The answer's header that names fields which the route does not know. */
export const IGNORED_FIELDS_HEADER = 'x-ignored-fields';

/** The most names that the header carries, and about how long it may become: proxies bound the headers of an answer. */
const MOST_NAMES = 10;
const MOST_CHARACTERS = 1_024;
/** Longer names are cut. */
const MOST_NAME_CHARACTERS = 64;

/** The fields that an object may have. A field without `inner` is free: its content is not looked at. */
interface Known {
  readonly inner: ReadonlyMap<string, Known | null>;
}

interface Shown {
  readonly properties?: Readonly<Record<string, Shown>>;
  readonly items?: Shown;
  readonly anyOf?: readonly Shown[];
  readonly allOf?: readonly Shown[];
  readonly further?: unknown;
}

/** The fields that a schema reads; null where it takes any. */
function knownIn(shown: Shown): Known | null {
  const parts = [shown.items, ...(shown.anyOf ?? []), ...(shown.allOf ?? [])];
  const inner = new Map<string, Known | null>();
  for (const part of parts) {
    if (part) for (const [name, below] of knownIn(part)?.inner ?? []) inner.set(name, below);
  }
  for (const [name, below] of Object.entries(shown.properties ?? {})) inner.set(name, knownIn(below));
  if ('further' in shown) {
    for (const name of OPTION_SPELLINGS) inner.set(name, null);
    const address: Known = { inner: new Map([...BILLING_SPELLINGS.fields].map((name) => [name, null])) };
    for (const name of BILLING_SPELLINGS.object) inner.set(name, address);
  }
  return inner.size > 0 ? { inner } : null;
}

const knownOf = (schema: z.ZodType): Known | null =>
  knownIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shown);

const NOTHING: Known = { inner: new Map() };

/** One field that is not known: where it is, and the known field that is probably meant. */
interface Ignored {
  readonly path: string;
  readonly meant: string | null;
}

/**
 * Makes the reader of one route: what the header says of a request, null where every field is known. The known names
 * are computed once, here. Free-form JSON and what the route does not read at all are not looked at.
 */
export function ignoredFieldsOf({
  query,
  body,
}: Pick<Route, 'query' | 'body'>): (sent: { readonly query: unknown; readonly body: unknown }) => string | null {
  const inQuery = query ? knownOf(query.schema) : NOTHING;
  const inBody = body ? knownOf(body.schema) : null;
  return (sent) => {
    const found: Ignored[] = [];
    if (inQuery) collect(sent.query, inQuery, '', found);
    if (inBody) collect(sent.body, inBody, '', found);
    return found.length === 0 ? null : written(found);
  };
}

function collect(value: unknown, known: Known, path: string, found: Ignored[]): void {
  if (Array.isArray(value)) {
    // No route reads a list inside a list, and the depth of lists is the sender's choice: recursion must not follow it.
    for (let i = 0; i < value.length && found.length < MOST_NAMES; i++)
      if (!Array.isArray(value[i])) collect(value[i], known, `${path}[${i}]`, found);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const under = path === '' ? '' : `${path}.`;
  for (const name in value) {
    if (found.length >= MOST_NAMES) return;
    const below = known.inner.get(name);
    if (below) collect((value as Record<string, unknown>)[name], below, `${under}${name}`, found);
    else if (below === undefined) {
      const meant = nearest(name, known);
      found.push({ path: `${under}${name.slice(0, MOST_NAME_CHARACTERS)}`, meant: meant && `${under}${meant}` });
    }
  }
}

/** `retunUrl;did-you-mean=returnUrl, foo`: each name percent-encoded. */
function written(found: readonly Ignored[]): string {
  let header = '';
  for (const { path, meant } of found) {
    const one = `${encoded(path)}${meant === null ? '' : `;did-you-mean=${encoded(meant)}`}`;
    if (header.length + one.length + 2 > MOST_CHARACTERS) break;
    header += header === '' ? one : `, ${one}`;
  }
  return header;
}

const encoded = (path: string) => encodeURIComponent(path.toWellFormed());

/**
 * The known name that is probably meant: the same in another spelling, one of few edits, or one of an object inside.
 */
function nearest(name: string, { inner }: Known): string | null {
  if (name.length > MOST_NAME_CHARACTERS) return null;
  const plain = plainOf(name);
  const most = plain.length < 5 ? 1 : 2;
  let best: string | null = null;
  let fewest = most + 1;
  for (const candidate of inner.keys()) {
    const edits = editsBetween(plain, plainOf(candidate), fewest);
    if (edits < fewest) [best, fewest] = [candidate, edits];
    if (edits === 0) return candidate;
  }
  if (best !== null) return best;
  for (const [outer, below] of inner) if (below?.inner.has(name)) return `${outer}.${name}`;
  return null;
}

const plainOf = (name: string) => name.toLowerCase().replace(/[_-]/g, '');

/**
 * The edits (one character more, less or other) from one text to another; `enough` where there are at least as many.
 */
function editsBetween(one: string, other: string, enough: number): number {
  if (Math.abs(one.length - other.length) >= enough) return enough;
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const changed = (row[j - 1] as number) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return Math.min(row[other.length] as number, enough);
}
