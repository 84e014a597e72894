import { Button } from '../client/button.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { words } from '../shared/words.ts';

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
