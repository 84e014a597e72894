import type { FastifyRequest } from 'fastify';
import {
  acceptedLanguage,
  CONSOLE_LANGUAGES,
  type ConsoleLanguage,
  consoleLanguageOf,
  languageOf,
} from '../../../base/core/messages/languages.ts';
import { LANGUAGE_COOKIE } from './shared/settings.ts';

/** The language of the console: that of `?lang=`, else the one chosen in this browser, else its first, else English. */
export function languageFor({ query, headers }: FastifyRequest): ConsoleLanguage {
  const chosen = new RegExp(`(?:^|;\\s*)${LANGUAGE_COOKIE}=(\\w+)`).exec(headers.cookie ?? '')?.[1];
  const named = languageOf((query as { lang?: unknown }).lang) ?? languageOf(chosen);
  return consoleLanguageOf(named ?? acceptedLanguage(headers['accept-language'], CONSOLE_LANGUAGES));
}
