import { useId, useRef, useState } from 'preact/hooks';
import { words } from '../shared/words.ts';

interface InlineEditProps {
  /** What is edited, and of what. */
  readonly label: string;
  /** The value as it is typed. */
  readonly value: string;
  /** The value as it is read. */
  readonly shown: string;
  readonly inputMode: 'decimal' | 'numeric';
  readonly placeholder?: string;
  /** The value is shown, and cannot be edited. */
  readonly readOnly?: boolean;
  /** Stores what was typed. Returns a problem, or null. */
  readonly save: (text: string) => Promise<string | null>;
}

/** A value of a row that is edited in its place: Enter or leaving the field saves, Escape leaves it as it was. */
export function InlineEdit({ label, value, shown, inputMode, placeholder, readOnly = false, save }: InlineEditProps) {
  const [text, setText] = useState<string | null>(null);
  const [state, setState] = useState<'idle' | 'saving' | 'saved'>('idle');
  const [problem, setProblem] = useState<string | null>(null);
  const left = useRef(false);
  const id = useId();
  if (readOnly) return <span class="inline-edit number">{shown}</span>;
  const store = async () => {
    if (text === null || left.current) return;
    if (text.trim() === value) {
      setText(null);
      return setProblem(null);
    }
    setState('saving');
    const found = await save(text);
    setProblem(found);
    setState(found === null ? 'saved' : 'idle');
    if (found === null) setText(null);
  };
  return (
    <span class={`inline-edit ${state}`}>
      <input
        class="input"
        aria-label={label}
        inputMode={inputMode}
        value={text ?? shown}
        placeholder={placeholder}
        aria-invalid={problem ? 'true' : undefined}
        aria-describedby={problem ? id : undefined}
        title={words.catalog.enterSaves}
        onFocus={({ currentTarget: input }) => {
          left.current = false;
          // At once: if the next rendering replaced the text, it would change what was typed before it.
          input.value = value;
          input.select();
          setText(value);
          setState('idle');
          // Again after the click that gave the focus has placed the cursor, unless something was typed since.
          requestAnimationFrame(() => {
            if (input.value === value) input.select();
          });
        }}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Escape') {
            left.current = true;
            setText(null);
            setProblem(null);
          }
          if (key === 'Enter' || key === 'Escape') currentTarget.blur();
        }}
        onBlur={() => void store()}
      />
      <span class="unseen" role="status">
        {state === 'saved' ? words.saved : ''}
      </span>
      {problem && (
        <span class="field-problem" id={id} role="alert">
          {problem}
        </span>
      )}
    </span>
  );
}
