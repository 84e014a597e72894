import { useEffect } from 'preact/hooks';
import { Icon } from '../client/icon.tsx';
import { words } from '../shared/words.ts';

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '00', '0'] as const;

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && /^(?:input|select|textarea)$/i.test(target.tagName);

interface KeypadProps {
  readonly onKey: (key: string) => void;
  readonly onEnter: () => void;
}

/** The keys of the till. A keyboard works too: digits, Backspace, Delete and Enter. */
export function Keypad({ onKey, onEnter }: KeypadProps) {
  useEffect(() => {
    const onDown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (ctrlKey || metaKey || altKey || isTyping(target)) return;
      if (/^\d$/.test(key) || key === 'Backspace' || key === 'Delete') onKey(key);
      else if (key === 'Enter' && !(target instanceof HTMLButtonElement) && !(target instanceof HTMLAnchorElement))
        onEnter();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onDown);
    return () => document.removeEventListener('keydown', onDown);
  }, [onKey, onEnter]);
  return (
    <fieldset class="keypad" aria-label={words.till.keypad}>
      {KEYS.map((key) => (
        <button key={key} type="button" onClick={() => onKey(key)}>
          {key}
        </button>
      ))}
      <button type="button" aria-label={words.till.erase} onClick={() => onKey('Backspace')}>
        <Icon name="erase" />
      </button>
    </fieldset>
  );
}
