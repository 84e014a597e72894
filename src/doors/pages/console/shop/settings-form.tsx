import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { SaveRow } from './save-row.tsx';

interface SettingsFormProps {
  /** What the fields hold. */
  readonly values: readonly unknown[];
  readonly busy: boolean;
  readonly problem: string | null;
  /** The text of the button. */
  readonly action: string;
  /** Writes the settings; false if they were not written. */
  readonly save: () => Promise<boolean>;
  readonly children: ComponentChildren;
}

/** A card of settings with one button. It says that they are saved until one is changed. */
export function SettingsForm({ values, busy, problem, action, save, children }: SettingsFormProps) {
  const [saved, setSaved] = useState(false);
  useEffect(() => setSaved(false), values);
  return (
    <form
      class="card new-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save().then(setSaved);
      }}
    >
      {children}
      <SaveRow busy={busy} saved={saved} problem={problem}>
        {action}
      </SaveRow>
    </form>
  );
}
