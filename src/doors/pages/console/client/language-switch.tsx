import { CONSOLE_LANGUAGES, type ConsoleLanguage, LANGUAGE_NAMES } from '../../../../base/core/messages/languages.ts';
import { LANGUAGE_COOKIE } from '../shared/settings.ts';
import { isChecked, language, words } from '../shared/words.ts';

const YEAR_S = 31_536_000;

/** Keeps the language for this browser: the server needs it for the document, so it is a cookie. */
function keepLanguage(chosen: ConsoleLanguage): void {
  // biome-ignore lint/suspicious/noDocumentCookie: The Cookie Store is not in every browser.
  document.cookie = `${LANGUAGE_COOKIE}=${chosen}; path=/console; max-age=${YEAR_S}; samesite=lax`;
}

/** A language that the address names is kept, since the links within the console do not name it. */
export function keepNamedLanguage(): void {
  if (new URLSearchParams(location.search).has('lang')) keepLanguage(language);
}

function choose(chosen: ConsoleLanguage): void {
  keepLanguage(chosen);
  const url = new URL(location.href);
  url.searchParams.delete('lang');
  history.replaceState(history.state, '', url);
  location.reload();
}

/** The console in its other languages. The page is loaded again. */
export function LanguageSwitch() {
  return (
    <>
      <nav class="languages" aria-label={words.language.title}>
        {CONSOLE_LANGUAGES.map((each) => (
          <button
            key={each}
            type="button"
            lang={each}
            aria-current={each === language ? 'true' : undefined}
            onClick={() => choose(each)}
          >
            {LANGUAGE_NAMES[each]}
          </button>
        ))}
      </nav>
      {!isChecked && <p class="soft">{words.language.unchecked}</p>}
    </>
  );
}
