import { type Document, documents } from './documents.ts';

/** The words that all documents may have together: what is longer is not read. */
export const MOST_WORDS = 70_000;

/** The words of a sentence from which on its repetition is no accident of the language. */
const REPEATED_WORDS = 8;

/** A paragraph or a list item. */
interface Paragraph {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly isItem: boolean;
  /** What follows it. */
  readonly before: 'item' | 'list' | 'code' | 'table' | 'else';
}

const ITEM = /^\s*(?:[-*]|\d+\.) /;
const TABLE = /^\s*\|/;
const FENCE = /^\s*```/;

/** The lines of a document; those of generated parts and of HTML are empty. */
const linesOf = (text: string): string[] =>
  text
    .replace(/<!-- made:[\s\S]*?<!-- \/made -->|<!--[\s\S]*?-->|<p>[\s\S]*?<\/p>/g, (part) =>
      part.replace(/[^\n]/g, ''),
    )
    .split('\n');

/** The paragraphs and list items of a document, and the places where a merge has run a paragraph into an item. */
function paragraphsOf({ path, text }: Document): { paragraphs: Paragraph[]; faults: string[] } {
  const lines = linesOf(text);
  const paragraphs: Paragraph[] = [];
  const faults: string[] = [];
  let isCode = false;
  let open: { line: number; isItem: boolean; rows: string[] } | null = null;
  const close = (next: number): void => {
    if (!open) return;
    const following = lines.slice(next).find((line) => line.trim() !== '') ?? '';
    const before = kindOf(following, open.isItem);
    paragraphs.push({ path, line: open.line, text: open.rows.join(' '), isItem: open.isItem, before });
    open = null;
  };
  for (const [index, line] of lines.entries()) {
    if (FENCE.test(line)) {
      close(index);
      isCode = !isCode;
    } else if (isCode) continue;
    else if (line.trim() === '' || /^#+ /.test(line) || TABLE.test(line)) close(index);
    else if (ITEM.test(line)) {
      close(index);
      open = { line: index + 1, isItem: true, rows: [line.replace(ITEM, '')] };
    } else if (open) {
      if (open.isItem && !/^\s/.test(line)) faults.push(`${path}:${index + 1}: a paragraph begins within a list item`);
      open.rows.push(line.trim());
    } else open = { line: index + 1, isItem: false, rows: [line.trim()] };
  }
  close(lines.length);
  return { paragraphs, faults };
}

/** The kind of a block by its first line. */
function kindOf(line: string, afterItem: boolean): Paragraph['before'] {
  if (FENCE.test(line)) return 'code';
  if (TABLE.test(line)) return 'table';
  if (ITEM.test(line)) return afterItem ? 'item' : 'list';
  return 'else';
}

const ENDS = /[.!?:…][)”"*_`]*$/;
/** An item of a list that is one sentence, with an item after it. */
const GOES_ON = /(?:,|;|,? and|,? or)$/;

/** Whether a paragraph comes to its end: of a sentence, or in the list, code or table after it. */
const ends = ({ text, isItem, before }: Paragraph): boolean =>
  ENDS.test(text) || (before === 'item' ? isItem && GOES_ON.test(text) : before !== 'else');

/** Paragraphs and list items that stop before their sentence ends, and those that a merge has run together. */
export function stopFaults(all: readonly Document[] = documents()): string[] {
  return all.flatMap((document) => {
    const { paragraphs, faults } = paragraphsOf(document);
    const stopped = paragraphs.filter((paragraph) => !ends(paragraph));
    return [
      ...faults,
      ...stopped.map(({ path, line, text }) => `${path}:${line}: stops without an end: “… ${text.slice(-40)}”`),
    ];
  });
}

/** The cells of the tables that are written by hand. */
const cellsOf = ({ path, text }: Document): Pick<Paragraph, 'path' | 'line' | 'text'>[] =>
  linesOf(text).flatMap((row, index) =>
    TABLE.test(row)
      ? row
          .split(/(?<!\\)\|/)
          .map((cell) => ({ path, line: index + 1, text: cell.trim() }))
          .filter((cell) => cell.text !== '')
      : [],
  );

/** Sentences of eight or more words that two pages have, or one page twice. */
export function repeatFaults(all: readonly Document[] = documents()): string[] {
  const places = new Map<string, string>();
  return all
    .flatMap((document) => [...paragraphsOf(document).paragraphs, ...cellsOf(document)])
    .flatMap(({ path, line, text }) =>
      sentencesOf(text).flatMap((sentence) => {
        const first = places.get(sentence);
        if (first === undefined) places.set(sentence, `${path}:${line}`);
        return first === undefined ? [] : [`${path}:${line}: repeats ${first}: “${sentence}”`];
      }),
    );
}

/** The long sentences of a paragraph, as comparable texts: links by their words, no marks, one case. */
function sentencesOf(paragraph: string): string[] {
  return paragraph
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .split(/(?<=[.!?:][)”"*]*) +/)
    .map((sentence) =>
      sentence
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_$%]/gu, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((sentence) => sentence.split(' ').length >= REPEATED_WORDS);
}

/** The words of all documents, as `wc -w` counts them. */
export const wordsOf = (all: readonly Document[] = documents()): number =>
  all.reduce((sum, { text }) => sum + (text.match(/\S+/g)?.length ?? 0), 0);

/** Whether the documents have grown beyond what is read. */
export function lengthFaults(all: readonly Document[] = documents(), most = MOST_WORDS): string[] {
  const words = wordsOf(all);
  return words <= most ? [] : [`docs: ${words} words, at most ${most}: shorten a page, or remove what the code says`];
}
