/*
 * The texts that the search compares. Receipts and searches use the same functions, in memory, so that both sides agree
 * on every letter.
 */

import { fold } from '../../../base/core/text.ts';

/** The lengths, in code points, at which the beginnings of terms are kept in the order of the receipts' creation. */
const PREFIX_LENGTHS = [4, 8, 12];
/** Shorter words of a search only match whole terms. */
const PREFIX_MIN = 3;
/** The most words of one value that can be found by themselves. */
const WORDS_MAX = 16;

/** Ids, wallets and hashes: their beginnings are the same on all receipts or on none. */
const ID_FORM = /^(?:(?:r-|sub_|plan_)[0-9a-z]{26}|0x[0-9a-f]{40}|0x[0-9a-f]{64})$/;
const ID_STARTS = ['r-', 'sub_', 'plan_', '0x'];

const AMOUNT_FORM = /^\D?(\d{1,3}(?:[.,\u2019]?\d{3})*)[.,](\d{2})\D?$/;

/** The cents of a word that is an amount such as `26.81`, `1.250,00` or `€24.90`; null for other words. */
export function amountOf(word: string): number | null {
  const [, whole, cents] = AMOUNT_FORM.exec(word) ?? [];
  return whole === undefined ? null : Number(`${whole.replace(/\D/g, '')}${cents}`);
}

/** The term of a total in another currency than US dollars. */
export const amountTerm = (cents: number): string =>
  `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

const wordsIn = (text: string): string[] => text.split(/\s+/u).filter((word) => word !== '');

/** The first characters of a text. */
const beginning = (text: string, length: number): string => [...text].slice(0, length).join('');

const lengthOf = (text: string): number => [...text].length;

/** The terms of values: each whole value, and its words. Without duplicates. */
export function termsOf(values: readonly string[]): string[] {
  const folded = values.map(fold);
  return [...new Set([...folded, ...folded.flatMap((value) => wordsIn(value).slice(0, WORDS_MAX))])].sort();
}

/** The entry of a whole term. */
export const wholeEntry = (term: string): string => `=${term}`;

/**
 * The entries of a receipt with these terms: each whole term (`=term`), and its beginnings of fixed lengths (`^term`),
 * by which a search for a frequent beginning reads the newest receipts first.
 */
export function entriesOf(terms: readonly string[]): ReadonlySet<string> {
  const entries = new Set<string>();
  for (const term of terms) {
    entries.add(wholeEntry(term));
    if (ID_FORM.test(term)) continue;
    const length = lengthOf(term);
    for (const fixed of PREFIX_LENGTHS) if (length >= fixed) entries.add(`^${beginning(term, fixed)}`);
  }
  return entries;
}

/** The words of a search, folded, without duplicates. */
export const searchWords = (text: string): string[] => [...new Set(wordsIn(fold(text)))];

/** Whether a word of a search matches the beginnings of terms, not only whole ones. */
export const isPrefix = (word: string): boolean => lengthOf(word) >= PREFIX_MIN;

/** The entries of the terms that begin with a word: from `first` to `last`. */
export const entryRange = (word: string): { readonly first: string; readonly last: string } => ({
  first: `=${word}`,
  last: `=${word}\u{10ffff}`,
});

/**
 * The entry that every receipt has which matches this beginning: the longest fixed one. Null if there is none, because
 * the word is too short or may begin an id.
 */
export function prefixEntry(word: string): string | null {
  if (ID_STARTS.some((start) => word.startsWith(start) || start.startsWith(word))) return null;
  const fixed = PREFIX_LENGTHS.findLast((length) => length <= lengthOf(word));
  return fixed === undefined ? null : `^${beginning(word, fixed)}`;
}
