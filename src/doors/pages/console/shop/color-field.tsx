import { useId } from 'preact/hooks';
import { words } from '../shared/words.ts';

/** Whether a text is a colour that the API takes. */
export const isColor = (text: string | null): boolean => /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(text ?? '');

/** The form of the browser's colour field. */
const longColor = (text: string): string =>
  text.length === 4 ? `#${[...text.slice(1)].map((digit) => digit + digit).join('')}` : text;

interface ColorFieldProps {
  readonly label: string;
  /** Null is the usual colour. */
  readonly value: string | null;
  readonly onChange: (color: string | null) => void;
}

/** A colour: chosen from the browser's palette, or typed. */
export function ColorField({ label, value, onChange }: ColorFieldProps) {
  const id = useId();
  const wrong = value !== null && !isColor(value);
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      <div class="color-field">
        <input
          type="color"
          aria-label={words.shop.palette({ label })}
          value={value !== null && !wrong ? longColor(value) : '#808080'}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
        <input
          id={id}
          class="input"
          value={value ?? ''}
          placeholder={words.shop.usual}
          autocomplete="off"
          spellcheck={false}
          aria-invalid={wrong ? 'true' : undefined}
          aria-describedby={wrong ? `${id}-problem` : undefined}
          onInput={({ currentTarget }) => onChange(currentTarget.value.trim() || null)}
        />
      </div>
      {wrong && (
        <p class="field-problem" id={`${id}-problem`} role="alert">
          {words.shop.wrongColor}
        </p>
      )}
    </div>
  );
}
