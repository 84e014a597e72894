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

/** A search that begins shortly after the last key. The address `?search` moves the focus here. */
export function SearchBox({ q, label, hint, onSearch }: SearchBoxProps) {
  const { query } = useLocation();
  const [text, setText] = useState(q);
  const typed = useRef<number>(undefined);
  const box = useRef<HTMLInputElement>(null);
  // The address may change without typing, as by the browser's back button.
  useEffect(() => setText(q), [q]);
  useEffect(() => {
    if ('search' in query) box.current?.focus();
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
          typed.current = window.setTimeout(() => onSearch(value), TYPING_MS);
        }}
      />
    </label>
  );
}
