import { useState } from 'preact/hooks';
import { useCreate } from '../client/ask.ts';
import { Dialog } from '../client/dialog.tsx';
import { SecretDialog } from '../client/secret-dialog.tsx';
import { AddWebhookEndpoint } from '../generated/webhooks.ts';
import { words } from '../shared/words.ts';
import { EndpointForm } from './endpoint-form.tsx';

const FIRST = { url: '', description: '', kinds: ['receipt.*'] };

interface AddEndpointProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Registers an endpoint, then shows its secret. */
export function AddEndpoint({ open, onClose }: AddEndpointProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const { busy, problem, send, clear } = useCreate(AddWebhookEndpoint);
  const close = () => {
    clear();
    onClose();
  };
  return (
    <>
      <Dialog open={open} title={words.webhooks.add} onClose={close}>
        <EndpointForm
          first={FIRST}
          action={words.webhooks.add}
          busy={busy}
          problem={problem}
          onCancel={close}
          onSubmit={async (input) => {
            const added = (await send({ input }))?.createWebhookEndpoint;
            if (!added) return;
            setSecret(added.secret);
            close();
          }}
        />
      </Dialog>
      <SecretDialog
        secret={secret}
        title={words.webhooks.secretTitle}
        text={words.webhooks.secretText}
        onClose={() => setSecret(null)}
      />
    </>
  );
}
