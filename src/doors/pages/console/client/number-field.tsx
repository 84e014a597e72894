import { useState } from 'preact/hooks';
import { words } from '../shared/words.ts';
import { Button } from './button.tsx';
import { Input } from './field.tsx';
import { readingText } from './money-text.ts';
import { type NumberKind, numberText, readNumber } from './typed-number.ts';

interface NumberFieldProps {
  readonly label: string;
  readonly value: string;
  readonly kind: NumberKind;
  /** The currency of an amount, whose sign may be typed. */
  readonly currency?: string;
  readonly hint?: string;
  readonly placeholder?: string;
  readonly problem?: string | null;
  readonly onInput: (value: string) => void;
}

/** A field for a number, as any country writes it. What can be read in two ways is asked about, once it is left. */
export function NumberField({ kind, currency, ...field }: NumberFieldProps) {
  const [isTyping, setIsTyping] = useState(false);
  const typed = readNumber(field.value, kind, currency);
  const either = typed !== null && 'either' in typed ? typed.either : [];
  const isAsked = either.length > 0 && (!isTyping || Boolean(field.problem));
  return (
    <div
      class="number-field"
      onFocusIn={({ target }) => setIsTyping(target instanceof HTMLInputElement)}
      onFocusOut={() => setIsTyping(false)}
    >
      <Input
        {...field}
        inputMode={kind === 'whole' ? 'numeric' : 'decimal'}
        problem={isAsked ? words.numbers.which : field.problem}
      />
      {isAsked && (
        <div class="number-readings">
          {either.map((value) => (
            <Button key={value} onClick={() => field.onInput(numberText(value, kind))}>
              {readingText(value, kind, currency)}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}
