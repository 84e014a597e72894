import type { Page } from 'playwright-core';
import type { SentTree } from '../../../src/base/core/messages/fill.ts';
import { consoleTree } from '../../../src/base/core/messages/words.ts';

/** The messages of a tree with their keys. */
function leaves(tree: SentTree, path = ''): [key: string, message: string | readonly unknown[]][] {
  if (typeof tree === 'string' || Array.isArray(tree)) return [[path, tree]];
  return Object.entries(tree).flatMap(([part, below]) => leaves(below as SentTree, `${path}.${part}`));
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** What a message may be on a page; null for one that says nothing without its placeholders, or has forms. */
function patternOf(message: string | readonly unknown[]): RegExp | null {
  const parts = typeof message === 'string' ? [message] : message;
  if (parts.some((part) => Array.isArray(part) && part.length > 2)) return null;
  const texts = parts.filter((part) => typeof part === 'string').join('');
  if (!/\p{L}{2}/u.test(texts)) return null;
  return new RegExp(`^${parts.map((part) => (typeof part === 'string' ? escaped(part) : '.+')).join('')}$`, 'u');
}

const german = new Map(leaves(consoleTree('de')));
const germanTexts = new Set([...german.values()].filter((message) => typeof message === 'string'));
const patterns = leaves(consoleTree('en'))
  .filter(([key, message]) => JSON.stringify(message) !== JSON.stringify(german.get(key)))
  .flatMap(([, message]) => patternOf(message) ?? []);

/** The texts of a page that are English messages of the console: what is seen, and what only a screen reader says. */
export async function englishTexts(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const found: string[] = [document.title.split(' · ')[0] ?? ''];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      if (!parent?.closest('bdi, script, template, code, pre, [data-data]'))
        found.push(walker.currentNode.textContent ?? '');
    }
    for (const element of document.querySelectorAll('[aria-label], [placeholder], [title], [alt]'))
      for (const name of ['aria-label', 'placeholder', 'title', 'alt']) found.push(element.getAttribute(name) ?? '');
    return found.map((text) => text.trim()).filter((text) => text !== '');
  });
  return [...new Set(texts)].filter((text) => !germanTexts.has(text) && patterns.some((pattern) => pattern.test(text)));
}
