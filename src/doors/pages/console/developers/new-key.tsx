import { openReference } from '../../client/issued-key.ts';
import { Button } from '../client/button.tsx';
import { SecretDialog } from '../client/secret-dialog.tsx';
import { words } from '../shared/words.ts';

interface NewKeyProps {
  /** Null: the dialog is closed. */
  readonly secret: string | null;
  readonly onClose: () => void;
}

/** Shows a key that was just issued, once, and opens the reference with it. */
export function NewKey({ secret, onClose }: NewKeyProps) {
  return (
    <SecretDialog
      secret={secret}
      title={words.developers.secretTitle}
      text={words.developers.secretText}
      onClose={onClose}
    >
      <Button kind="plain" onClick={() => openReference(secret ?? '')}>
        {words.developers.tryKey}
      </Button>
    </SecretDialog>
  );
}
