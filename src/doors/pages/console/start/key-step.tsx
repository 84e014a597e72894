import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Button } from '../client/button.tsx';
import { IssueKeyForm } from '../developers/issue-key.tsx';
import { NewKey } from '../developers/new-key.tsx';
import { words } from '../shared/words.ts';
import { isDone, type StepProps } from './steps.ts';

/** What a shop's server needs to sell. */
const USUAL = ['orders_create', 'receipts_read', 'inventory_read'] as const;

/** The first developer key, which is shown once. */
export function KeyStep({ steps, nextUrl, onDone }: StepProps) {
  const { route } = useLocation();
  const [secret, setSecret] = useState<string | null>(null);
  const store = () => {
    setSecret(null);
    onDone();
  };
  return (
    <>
      {isDone(steps, 'key') || secret !== null ? (
        <>
          <p>{words.start.hasKey}</p>
          <div class="save-row">
            <Button kind="primary" href={nextUrl}>
              {words.start.next}
            </Button>
            <Button href="/console/developers">{words.start.toKeys}</Button>
          </div>
        </>
      ) : (
        <IssueKeyForm usual={USUAL} leave={words.start.later} onCancel={() => route(nextUrl)} onSecret={setSecret} />
      )}
      <NewKey secret={secret} onClose={store} />
    </>
  );
}
