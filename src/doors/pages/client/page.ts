import { type Area, type Words, wordsFrom } from '../../../base/core/messages/fill.ts';
import type { Language } from '../../../base/core/messages/languages.ts';

/**
 * The current version of this page from the server; null if it cannot be fetched. Without its style block, whose nonce
 * would violate the policy of this page.
 */
export async function readPageAgain(): Promise<Document | null> {
  const answer = await fetch(location.href, { credentials: 'same-origin', cache: 'no-store' });
  if (!answer.ok) return null;
  const markup = (await answer.text()).replace(/<style\b[\s\S]*?<\/style>/, '');
  return new DOMParser().parseFromString(markup, 'text/html');
}

/** An element that the page has in every state. */
export const part = (id: string): HTMLElement => document.getElementById(id) as HTMLElement;

/** The language of the page, as the server has written it. */
export const pageLanguage = () => document.documentElement.lang as Language;

/** The words of an area that the page carries. */
export const pageWords = <A extends Area>(area: A): Words<A> =>
  wordsFrom(JSON.parse(part('words').dataset.words ?? '{}')[area], pageLanguage());
