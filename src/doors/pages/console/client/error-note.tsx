import { words } from '../shared/words.ts';
import { Button } from './button.tsx';

/** What went wrong, if anything did, and a button that tries again. */
export function ErrorNote({ problem, again }: { readonly problem: string | null; readonly again?: () => void }) {
  if (problem === null) return null;
  return (
    <div class="note bad" role="alert">
      <p>{problem}</p>
      {again && (
        <Button kind="quiet" onClick={again}>
          {words.again}
        </Button>
      )}
    </div>
  );
}
