import { words } from '../shared/words.ts';
import { Button } from './button.tsx';

interface FormActionsProps {
  /** What the form does. */
  readonly action: string;
  readonly busy: boolean;
  /** Something is still missing. */
  readonly disabled?: boolean;
  readonly onCancel: () => void;
  /** The text of the way out, in a form that is part of a page. Without it, the form is in a dialog. */
  readonly leave?: string;
}

/** The buttons at the end of a form. */
export function FormActions({ action, busy, disabled, onCancel, leave }: FormActionsProps) {
  const submit = (
    <Button kind="primary" type="submit" busy={busy} disabled={disabled}>
      {action}
    </Button>
  );
  if (leave !== undefined)
    return (
      <div class="save-row">
        {submit}
        <Button onClick={onCancel}>{leave}</Button>
      </div>
    );
  return (
    <div class="dialog-actions">
      <Button onClick={onCancel}>{words.cancel}</Button>
      {submit}
    </div>
  );
}
