import type { ConsoleLanguage } from '../../../base/core/messages/languages.ts';
import { wordsOf } from '../../../base/core/messages/words.ts';
import { brandLine } from '../shared/brand.ts';
import type { PageChain } from '../shared/chain.ts';
import { html } from '../shared/html.ts';
import { attributeJson, readingIn } from '../shared/reading.ts';
import { messagePage, type PageAssets, shell } from '../shared/shell.ts';
import type { PageTheme } from '../shared/theme.ts';
import type { ConsoleSettings } from './shared/settings.ts';
import { TILL_MANIFEST_PATH } from './till-app.ts';

/** The built files of the console. `chunks` are the further scripts of each page, by the page's name. */
export interface ConsoleAssets extends PageAssets {
  readonly chunks: Readonly<Record<string, readonly string[]>>;
  /** The script with the texts of each language. */
  readonly words: Readonly<Record<ConsoleLanguage, string>>;
}

/** The data of the console's document: nothing about any merchant. */
export interface ConsoleView {
  readonly brandName: string;
  readonly theme: PageTheme;
  readonly chain: PageChain;
  readonly settings: ConsoleSettings;
  /** The name of the page at this address; undefined if there is none. */
  readonly page: string | undefined;
  readonly language: ConsoleLanguage;
}

/** The document of the console. `nonce` must be fresh for each response and also be in its `pageCsp`. */
export function renderConsolePage(view: ConsoleView, assets: ConsoleAssets, nonce: string): string {
  const { brandName, theme, settings, page, language } = view;
  const words = wordsOf('console', language);
  const ahead = page === undefined ? [] : (assets.chunks[page] ?? []);
  return shell({
    reading: readingIn(language),
    title: `${words('name')} · ${brandName}`,
    theme,
    assets,
    nonce,
    head: html`<link rel="manifest" href="${TILL_MANIFEST_PATH}?lang=${language}"><script defer src="${assets.words[language]}"></script><script type="module" src="${assets.script}"></script>${ahead.map((chunk) => html`<link rel="modulepreload" href="${chunk}">`)}`,
    body: html`<div id="console" class="console" data-settings='${attributeJson(settings)}'>
<main class="sign-in"><div class="sign-in-card">${brandLine(brandName, theme.brandLogoUrl)}<p class="no-script lead">${words('needsScript')}</p></div></main>
</div>`,
  });
}

/** The page for a temporary failure. */
export function renderConsoleProblemPage(language: ConsoleLanguage, assets: PageAssets, nonce: string): string {
  const words = wordsOf('console', language);
  return messagePage(
    readingIn(language),
    assets,
    nonce,
    'clock',
    words('unavailable.title'),
    words('unavailable.text'),
  );
}
