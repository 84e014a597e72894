import type { Messages } from './generated/messages.d.ts';
import { type Language, localeOf } from './languages.ts';

/**
 * A part of a message: text, `0` for the number of the plural around it, or a placeholder by its name. A placeholder is
 * written as it is, as a number (`n`), or chooses one of several messages, by a plural (`p`) or by its text (`s`).
 */
export type Piece =
  | string
  | 0
  | readonly [name: string]
  | readonly [name: string, kind: 'n']
  | readonly [name: string, kind: 'p' | 's', options: Readonly<Record<string, Pieces>>];

/** A message without its syntax, as browsers get it. */
export type Pieces = string | readonly Piece[];

/** The parts of a message with the values of its placeholders in place. Numbers are written in the locale. */
export function fill<Value>(
  pieces: Pieces,
  values: Readonly<Record<string, Value>>,
  locale: string,
  number = 0,
): (string | Value)[] {
  if (typeof pieces === 'string') return [pieces];
  const write = (count: unknown) => new Intl.NumberFormat(locale).format(count as number);
  return pieces.flatMap((piece): (string | Value)[] => {
    if (typeof piece === 'string') return [piece];
    if (piece === 0) return [write(number)];
    const [name, kind, options] = piece;
    const value = values[name] as Value;
    if (!options) return [kind ? write(value) : value];
    const exact = options[kind === 'p' ? `=${value}` : String(value)];
    const category = kind === 'p' ? new Intl.PluralRules(locale).select(Number(value)) : 'other';
    return fill(exact ?? options[category] ?? options.other ?? [], values, locale, Number(value));
  });
}

/** A part of the product whose messages stand in one file a language. */
export type Area = keyof Messages;

/** The values of a message's placeholders. A text may be a part of a page in its place. */
type Values<Message, Part> = {
  readonly [Name in keyof Message]: Message[Name] | (string extends Message[Name] ? Part : never);
};

type Arguments<Message, Part> = keyof Message extends never ? [] : [values: Values<Message, Part>];

/** The messages of one area in one language. Its type refuses an unknown key, and a missing or wrong placeholder. */
export interface Words<A extends Area> {
  /** A message as text. */
  <Key extends keyof Messages[A]>(key: Key, ...values: Arguments<Messages[A][Key], never>): string;
  /** A message in parts: a placeholder may be more than text, such as a link, or an amount that keeps its direction. */
  parts<Key extends keyof Messages[A], Part>(
    key: Key,
    ...values: Arguments<Messages[A][Key], Part>
  ): readonly (string | Part)[];
  readonly language: Language;
}

type Filling = (key: string, values: Readonly<Record<string, unknown>>) => readonly unknown[];

/** The words of an area, by how one of its messages is filled. */
export function wordsBy<A extends Area>(language: Language, parts: Filling): Words<A> {
  const say = (key: string, values = {}) => parts(key, values).join('');
  return Object.assign(say, { parts, language }) as unknown as Words<A>;
}

/** The messages that the script of a page needs, as the page carries them. */
export type SentWords = Readonly<Record<string, Pieces>>;

/** The words of an area in a browser, from the messages that its page carries. */
export const wordsFrom = <A extends Area>(sent: SentWords, language: Language): Words<A> =>
  wordsBy(language, (key, values) => fill(sent[key] ?? [], values, localeOf(language)));

/** Messages by the parts of their keys. */
export type SentTree = Pieces | { readonly [part: string]: SentTree };

/** The messages of a tree, each a text, or a function of the values of its placeholders. */
export function filledTree(tree: SentTree, locale: string): unknown {
  if (typeof tree === 'string') return tree;
  if (isPieces(tree)) return (values: Readonly<Record<string, unknown>>) => fill(tree, values, locale).join('');
  return Object.fromEntries(Object.entries(tree).map(([part, below]) => [part, filledTree(below, locale)]));
}

const isPieces = (tree: SentTree): tree is Pieces => Array.isArray(tree);
