import { useState } from 'preact/hooks';
import { ErrorNote } from '../client/error-note.tsx';
import { Input } from '../client/field.tsx';
import { FormActions } from '../client/form-actions.tsx';
import { words } from '../shared/words.ts';
import { KindsField } from './kinds.tsx';

/** What a merchant chooses of an endpoint. */
interface EndpointFields {
  readonly url: string;
  readonly description: string;
  readonly kinds: readonly string[];
}

interface EndpointFormProps {
  readonly first: EndpointFields;
  /** The text of the button. */
  readonly action: string;
  readonly busy: boolean;
  readonly problem: string | null;
  readonly onSubmit: (input: { url: string; description: string; kinds: string[] }) => void;
  readonly onCancel: () => void;
}

/** The address, the note and the events of an endpoint. */
export function EndpointForm({ first, action, busy, problem, onSubmit, onCancel }: EndpointFormProps) {
  const [url, setUrl] = useState(first.url);
  const [description, setDescription] = useState(first.description);
  const [kinds, setKinds] = useState([...first.kinds]);
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit({ url: url.trim(), description: description.trim(), kinds });
      }}
    >
      <Input label={words.webhooks.url} hint={words.webhooks.urlHint} value={url} onInput={setUrl} />
      <Input label={words.webhooks.note} value={description} onInput={setDescription} />
      <KindsField kinds={kinds} onChange={setKinds} />
      <ErrorNote problem={problem} />
      <FormActions action={action} busy={busy} onCancel={onCancel} />
    </form>
  );
}
