import { Button } from '../client/button.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { words } from '../shared/words.ts';

interface ActionsProps {
  readonly nextUrl: string;
  readonly busy: boolean;
  readonly problem: string | null;
  /** There is nothing to save. */
  readonly still?: boolean;
  /** What the button does. */
  readonly children: string;
}

/** The end of a step’s form: do it, or leave it for later. */
export function Actions({ nextUrl, busy, problem, still = false, children }: ActionsProps) {
  return (
    <>
      <ErrorNote problem={problem} />
      <div class="save-row">
        {still ? (
          <Button kind="primary" href={nextUrl}>
            {words.start.next}
          </Button>
        ) : (
          <>
            <Button kind="primary" type="submit" busy={busy}>
              {children}
            </Button>
            <Button href={nextUrl}>{words.start.later}</Button>
          </>
        )}
      </div>
    </>
  );
}
