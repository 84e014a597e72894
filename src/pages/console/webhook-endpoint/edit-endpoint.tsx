import { useState } from 'preact/hooks';
import { useWrite } from '../client/ask.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { ErrorNote } from '../components/error-note.tsx';
import { Input } from '../components/field.tsx';
import { ChangeWebhookEndpoint, type EndpointFactsFragment } from '../generated/webhook-endpoint.ts';
import { KindsField } from '../webhooks/kinds.tsx';
import { words } from '../words.ts';

interface EditProps {
  readonly endpoint: EndpointFactsFragment;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Changes the address, the note and the events of an endpoint. */
export function EditEndpoint({ endpoint, open, onClose }: EditProps) {
  const [url, setUrl] = useState(endpoint.url);
  const [description, setDescription] = useState(endpoint.description);
  const [kinds, setKinds] = useState<string[]>([...endpoint.kinds]);
  const { busy, problem, send } = useWrite(ChangeWebhookEndpoint);
  const save = async () => {
    const input = { url: url.trim(), description: description.trim(), kinds };
    if (await send({ endpointId: endpoint.id, input })) onClose();
  };
  return (
    <Dialog open={open} title={words.webhooks.edit} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Input label={words.webhooks.url} hint={words.webhooks.urlHint} value={url} onInput={setUrl} />
        <Input label={words.webhooks.note} value={description} onInput={setDescription} />
        <KindsField kinds={kinds} onChange={setKinds} />
        {problem !== null && <ErrorNote problem={problem} />}
        <div class="dialog-actions">
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind="primary" type="submit" busy={busy}>
            {words.webhooks.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
