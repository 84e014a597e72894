import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { words } from '../shared/words.ts';
import { Button } from './button.tsx';
import { readingText } from './money-text.ts';
import { type NumberKind, numberText, readNumber } from './typed-number.ts';

interface InputProps {
  readonly label: string;
  readonly value: string;
  readonly type?: 'text' | 'date' | 'email' | 'number';
  readonly hint?: string;
  readonly problem?: string | null;
  readonly inputMode?: 'decimal' | 'numeric';
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly onInput: (value: string) => void;
}

/** A text field with its label, its hint and its problem. */
export function Input({
  label,
  value,
  type = 'text',
  hint,
  problem,
  inputMode,
  placeholder,
  required,
  onInput,
}: InputProps) {
  const id = useId();
  const about = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      <input
        id={id}
        class="input"
        // The types of Preact tell the kinds of fields apart, which does not matter here.
        type={type as 'text'}
        value={value}
        inputMode={inputMode}
        placeholder={placeholder}
        required={required}
        autocomplete="off"
        aria-invalid={problem ? 'true' : undefined}
        aria-describedby={about || undefined}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      {hint && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem && (
        <p class="field-problem" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

interface SelectProps {
  /** The accessible name; the chosen option is what is seen. */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly children: ComponentChildren;
}

/** A choice among a few. */
export function Select({ label, value, onChange, children }: SelectProps) {
  return (
    <select
      class="input"
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {children}
    </select>
  );
}

interface TextAreaProps {
  readonly label: string;
  readonly value: string;
  readonly hint?: string;
  readonly rows?: number;
  readonly onInput: (value: string) => void;
}

/** A text of several lines. */
export function TextArea({ label, value, hint, rows = 3, onInput }: TextAreaProps) {
  const id = useId();
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      <textarea
        id={id}
        class="input"
        rows={rows}
        value={value}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      {hint && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** A choice among a few, with its label above it. */
export function LabelledSelect({ label, hint, ...select }: SelectProps & { readonly hint?: string }) {
  return (
    <div class="field">
      <span class="field-label" aria-hidden="true">
        {label}
      </span>
      <Select label={label} {...select} />
      {hint && <p class="field-hint">{hint}</p>}
    </div>
  );
}

interface CheckProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ComponentChildren;
}

/** Something that is on or off. */
export function Check({ checked, onChange, children }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      <span>{children}</span>
    </label>
  );
}

interface ChoicesProps<Name extends string> {
  readonly label: string;
  /** What the choices are called among the fields of the page. */
  readonly name: string;
  readonly choices: readonly Name[];
  readonly about: Readonly<Record<Name, { readonly name: string; readonly about: string }>>;
  readonly value: Name;
  readonly onChange: (value: Name) => void;
}

/** A choice among a few, each with what it is for. */
export function Choices<Name extends string>(props: ChoicesProps<Name>) {
  const { label, name, choices, about, value, onChange } = props;
  return (
    <fieldset>
      <legend class="field-label">{label}</legend>
      {choices.map((choice) => (
        <label key={choice} class="check choice">
          <input type="radio" name={name} checked={choice === value} onChange={() => onChange(choice)} />
          <span>
            <strong>{about[choice].name}</strong>
            <span class="soft"> {about[choice].about}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

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
