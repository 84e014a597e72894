import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Icon } from './icon.tsx';

/** The time after the last key until a search begins. */
const TYPING_MS = 200;

interface SearchBoxProps {
  /** The text of the address. */
  readonly q: string;
  readonly label: string;
  readonly hint: string;
  readonly onSearch: (q: string) => void;
}

/** A search that begins shortly after the last key, or with Enter. The address `?search` moves the focus here. */
export function SearchBox({ q, label, hint, onSearch }: SearchBoxProps) {
  const { query } = useLocation();
  const [text, setText] = useState(q);
  const typed = useRef<number>(undefined);
  // The address may change between the last key and the search.
  const latest = useRef(onSearch);
  latest.current = onSearch;
  const box = useRef<HTMLInputElement>(null);
  // The address may change without typing, as by the browser's back button.
  useEffect(() => setText(q), [q]);
  useEffect(() => {
    if ('search' in query) box.current?.focus();
    return () => clearTimeout(typed.current);
  }, []);
  return (
    <label class="search-box">
      <Icon name="search" />
      <span class="unseen">{label}</span>
      <input
        ref={box}
        class="input"
        type="search"
        value={text}
        placeholder={hint}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget: { value } }) => {
          setText(value);
          clearTimeout(typed.current);
          const { pathname } = location;
          typed.current = window.setTimeout(() => {
            // The reader may be on another page by then.
            if (location.pathname === pathname) latest.current(value);
          }, TYPING_MS);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          // Enter would also submit the form around the box.
          event.preventDefault();
          clearTimeout(typed.current);
          onSearch(text);
        }}
      />
    </label>
  );
}
