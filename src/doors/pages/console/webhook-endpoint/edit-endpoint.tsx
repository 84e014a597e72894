import { useWrite } from '../client/ask.ts';
import { Dialog } from '../client/dialog.tsx';
import { ChangeWebhookEndpoint, type EndpointFactsFragment } from '../generated/webhook-endpoint.ts';
import { words } from '../shared/words.ts';
import { EndpointForm } from '../webhooks/endpoint-form.tsx';

interface EditProps {
  readonly endpoint: EndpointFactsFragment;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Changes the address, the note and the events of an endpoint. */
export function EditEndpoint({ endpoint, open, onClose }: EditProps) {
  const { busy, problem, send } = useWrite(ChangeWebhookEndpoint);
  return (
    <Dialog open={open} title={words.webhooks.edit} onClose={onClose}>
      <EndpointForm
        first={endpoint}
        action={words.webhooks.save}
        busy={busy}
        problem={problem}
        onCancel={onClose}
        onSubmit={async (input) => {
          if (await send({ endpointId: endpoint.id, input })) onClose();
        }}
      />
    </Dialog>
  );
}
