import { useState } from 'preact/hooks';
import { useWrite } from '../client/ask.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { ErrorNote } from '../components/error-note.tsx';
import { Input } from '../components/field.tsx';
import { SecretDialog } from '../components/secret-dialog.tsx';
import { AddWebhookEndpoint } from '../generated/webhooks.ts';
import { words } from '../words.ts';
import { KindsField } from './kinds.tsx';

const EVERY_RECEIPT = ['receipt.*'];

/** Registers an endpoint, then shows its secret. */
export function AddEndpoint({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const [kinds, setKinds] = useState<string[]>(EVERY_RECEIPT);
  const [secret, setSecret] = useState<string | null>(null);
  const { busy, problem, send, clear } = useWrite(AddWebhookEndpoint);
  const close = () => {
    clear();
    onClose();
  };
  const add = async () => {
    const added = await send({ input: { url: url.trim(), description: description.trim(), kinds } });
    if (!added?.createWebhookEndpoint) return;
    setSecret(added.createWebhookEndpoint.secret);
    setUrl('');
    setDescription('');
    setKinds(EVERY_RECEIPT);
    close();
  };
  return (
    <>
      <Dialog open={open} title={words.webhooks.add} onClose={close}>
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            void add();
          }}
        >
          <Input label={words.webhooks.url} hint={words.webhooks.urlHint} value={url} onInput={setUrl} />
          <Input label={words.webhooks.note} value={description} onInput={setDescription} />
          <KindsField kinds={kinds} onChange={setKinds} />
          {problem !== null && <ErrorNote problem={problem} />}
          <div class="dialog-actions">
            <Button onClick={close}>{words.cancel}</Button>
            <Button kind="primary" type="submit" busy={busy}>
              {words.webhooks.add}
            </Button>
          </div>
        </form>
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
