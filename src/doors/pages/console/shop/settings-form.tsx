import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../client/button.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { words } from '../shared/words.ts';

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

interface SaveRowProps {
  readonly busy: boolean;
  readonly saved: boolean;
  readonly problem: string | null;
  /** What the button does. */
  readonly children: string;
}

/** The button of a form, with what became of the last save. */
export function SaveRow({ busy, saved, problem, children }: SaveRowProps) {
  return (
    <>
      <ErrorNote problem={problem} />
      <div class="save-row">
        <Button kind="primary" type="submit" busy={busy}>
          {children}
        </Button>
        <span class="soft" role="status">
          {saved ? words.saved : ''}
        </span>
      </div>
    </>
  );
}
