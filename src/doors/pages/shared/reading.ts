import type { FastifyRequest } from 'fastify';
import type { Area, SentWords } from '../../../base/core/messages/fill.ts';
import {
  acceptedLanguage,
  directionOf,
  LANGUAGE_NAMES,
  LANGUAGES,
  type Language,
  languageOf,
  SOURCE_LANGUAGE,
} from '../../../base/core/messages/languages.ts';
import { wordsOf } from '../../../base/core/messages/words.ts';
import { type Html, html, trusted } from './html.ts';

/** How a page is read: in which language, and where it is read in another. */
export interface Reading {
  readonly language: Language;
  /** The language that the address names; the links of the page keep it. Null if it names none. */
  readonly chosen: Language | null;
  /** Path and query of the page; null for a page in one language. */
  readonly url: string | null;
}

/** A page that is in this language only, wherever it is read. */
export const readingIn = (language: Language): Reading => ({ language, chosen: null, url: null });

/** A page that has no other language. */
export const ENGLISH = readingIn(SOURCE_LANGUAGE);

/**
 * The language of a request: that of `?lang=`, else that of the receipt, else the first one of the browser that there
 * is, else that of the shop, else English.
 */
export function readingOf(
  request: FastifyRequest,
  { receipt = null, shop = null }: { readonly receipt?: string | null; readonly shop?: Language | null } = {},
): Reading {
  const chosen = languageOf((request.query as { lang?: unknown }).lang);
  const language =
    chosen ?? languageOf(receipt) ?? acceptedLanguage(request.headers['accept-language']) ?? shop ?? SOURCE_LANGUAGE;
  return { language, chosen, url: request.url };
}

/** The address of the page in a language, from the page itself. */
function addressIn(url: string, language: Language): string {
  const query = new URLSearchParams(/\?(.*)$/s.exec(url)?.[1]);
  // What is named twice counts for nothing, and is not repeated.
  for (const name of [...query.keys()]) if (query.getAll(name).length > 1) query.delete(name);
  query.set('lang', language);
  return `?${query}`;
}

/** Where the page is in each language, for programs. */
export const alternates = ({ url }: Reading): Html | null =>
  url === null
    ? null
    : html`${LANGUAGES.map((each) => html`<link rel="alternate" hreflang="${each}" href="${addressIn(url, each)}">`)}`;

/** Where the page is in each language, for people. */
export function languageSwitch({ url, language }: Reading): Html | null {
  if (url === null) return null;
  return html`<nav class="languages" aria-label="${wordsOf('pages', language)('language')}">${LANGUAGES.map(
    (each) =>
      html`<a href="${addressIn(url, each)}" hreflang="${each}" lang="${each}" dir="${directionOf(each)}" ${each === language && html`aria-current="true"`}>${LANGUAGE_NAMES[each]}</a>`,
  )}</nav>`;
}

const SIGNS: Readonly<Record<string, string>> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026', "'": '\\u0027' };

/** JSON for an attribute in single quotes, without a sign of markup: `data-model='${attributeJson(model)}'`. */
export const attributeJson = (value: object): Html =>
  trusted(JSON.stringify(value).replaceAll(/[<>&']/g, (sign) => SIGNS[sign] as string));

/** The messages that the script of a page needs: they are no text of the page. */
export const sendWords = (areas: Partial<Record<Area, SentWords>>): Html =>
  html`<template id="words" data-words='${attributeJson(areas)}'></template>`;
