import type { ComponentChildren } from 'preact';
import { words } from '../shared/words.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';

interface SecretDialogProps {
  /** Null: the dialog is closed. */
  readonly secret: string | null;
  readonly title: string;
  /** What the secret is for. */
  readonly text: string;
  readonly onClose: () => void;
  /** A further button. */
  readonly children?: ComponentChildren;
}

/** Shows a secret, or a link that contains one, once. */
export function SecretDialog({ secret, title, text, onClose, children }: SecretDialogProps) {
  return (
    <Dialog open={secret !== null} title={title} stays onClose={onClose}>
      <p>{text}</p>
      <output class="secret mono">{secret}</output>
      <p class="soft">{words.secret.once}</p>
      <div class="dialog-actions">
        {children}
        <CopyButton text={secret ?? ''}>{words.secret.copy}</CopyButton>
        <Button kind="primary" onClick={onClose}>
          {words.secret.stored}
        </Button>
      </div>
    </Dialog>
  );
}
