import type { ComponentChildren } from 'preact';
import { words } from '../shared/words.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorNote } from './error-note.tsx';

export interface ConfirmProps {
  readonly open: boolean;
  readonly title: string;
  /** What will happen, in words. */
  readonly children: ComponentChildren;
  readonly action: string;
  readonly kind?: 'primary' | 'danger';
  readonly busy: boolean;
  readonly problem: string | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before a write, and says what it will do. */
export function Confirm({
  open,
  title,
  children,
  action,
  kind = 'primary',
  busy,
  problem,
  onConfirm,
  onClose,
}: ConfirmProps) {
  return (
    <Dialog open={open} title={title} onClose={onClose}>
      <div class="prose">{children}</div>
      <ErrorNote problem={problem} />
      <div class="dialog-actions">
        <Button kind="quiet" onClick={onClose}>
          {words.cancel}
        </Button>
        <Button kind={kind} busy={busy} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
