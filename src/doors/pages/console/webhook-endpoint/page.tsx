import { useMemo, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { newKey } from '../../../../client/new-key.ts';
import { useRead, useWrite } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { ConfirmWrite } from '../client/confirm.tsx';
import type { PageProps } from '../client/console-page.ts';
import { Dialog, useDialogs } from '../client/dialog.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { Loaded } from '../client/loaded.tsx';
import { PageHead } from '../client/page-head.tsx';
import { SecretDialog } from '../client/secret-dialog.tsx';
import { Facts, Section } from '../client/section.tsx';
import { When } from '../client/when.tsx';
import {
  ChangeWebhookEndpoint,
  DeleteWebhookEndpoint,
  type EndpointFactsFragment,
  RotateWebhookSecret,
  TestWebhookEndpoint,
  WebhookEndpoint,
} from '../generated/webhook-endpoint.ts';
import { words } from '../shared/words.ts';
import { EndpointForm } from '../webhooks/endpoint-form.tsx';
import { kindsText } from '../webhooks/kinds.tsx';
import { SendAllAgain } from '../webhooks/send-all-again.tsx';
import { EndpointMark } from '../webhooks/state.tsx';
import { troubleOf } from '../webhooks/trouble.ts';

const LIST = '/console/webhooks';

/** One endpoint: its state, its settings, and what can be done with it. */
export default function WebhookEndpointPage({ params }: PageProps) {
  const endpointId = params.endpointId ?? '';
  const read = useRead(WebhookEndpoint, { endpointId });
  const endpoint = read.data?.webhookEndpoint;
  return (
    <>
      <PageHead
        title={endpoint?.description || endpoint?.url.replace(/^https?:\/\//, '') || words.webhooks.endpoint}
        up={{ href: LIST, title: words.webhooks.title }}
      />
      <Loaded read={read} of={endpoint} place={3}>
        {(found) => <Endpoint endpoint={found} />}
      </Loaded>
    </>
  );
}

function Endpoint({ endpoint }: { readonly endpoint: EndpointFactsFragment }) {
  const { isOpen, open, close } = useDialogs();
  const { route } = useLocation();
  const deliveries = `${LIST}?endpoint=${endpoint.id}`;
  return (
    <>
      <div class="card">
        <Facts
          facts={[
            [words.webhooks.state, <EndpointMark key="state" endpoint={endpoint} />],
            [words.webhooks.url, endpoint.url],
            [words.webhooks.kinds, kindsText(endpoint.kinds)],
            [words.webhooks.failingSince, endpoint.failingSince && <When key="failing" at={endpoint.failingSince} />],
            [
              words.webhooks.oldSecret,
              endpoint.previousSecretUntil && <When key="until" at={endpoint.previousSecretUntil} />,
            ],
            [
              words.webhooks.byKey,
              endpoint.keyId && (
                <a key="key" href={`/console/developers?do=key&on=${endpoint.keyId}`}>
                  {endpoint.keyId}
                </a>
              ),
            ],
            [words.webhooks.added, <When key="added" at={endpoint.createdAt} />],
          ]}
        />
        <div class="card-actions">
          <Button onClick={() => open('edit')}>{words.webhooks.edit}</Button>
          <Switch endpoint={endpoint} />
          <Button onClick={() => open('rotate')}>{words.webhooks.rotate}</Button>
          <Button href={deliveries}>{words.webhooks.itsDeliveries}</Button>
          <Button kind="danger" onClick={() => open('delete')}>
            {words.webhooks.remove}
          </Button>
        </div>
      </div>
      <TestEvent endpointId={endpoint.id} />
      <Section title={words.webhooks.replayTitle}>
        <p class="section-lead">{words.webhooks.replayText}</p>
        <Button onClick={() => open('replay')}>{words.webhooks.replay}</Button>
      </Section>
      <EditEndpoint endpoint={endpoint} open={isOpen('edit')} onClose={close} />
      <Rotate endpointId={endpoint.id} open={isOpen('rotate')} onClose={close} />
      <SendAllAgain endpointId={endpoint.id} open={isOpen('replay')} onDone={() => route(deliveries)} onClose={close} />
      <Remove endpointId={endpoint.id} open={isOpen('delete')} onClose={close} />
    </>
  );
}

function Switch({ endpoint: { id, enabled } }: { readonly endpoint: EndpointFactsFragment }) {
  const { busy, problem, send } = useWrite(ChangeWebhookEndpoint);
  return (
    <>
      <Button busy={busy} onClick={() => void send({ endpointId: id, input: { enabled: !enabled } })}>
        {enabled ? words.webhooks.switchOff : words.webhooks.switchOn}
      </Button>
      <ErrorNote problem={problem} />
    </>
  );
}

function TestEvent({ endpointId }: { readonly endpointId: string }) {
  const { busy, problem, send } = useWrite(TestWebhookEndpoint);
  const [result, setResult] = useState<string | null>(null);
  const run = async () => {
    const test = (await send({ endpointId }))?.testWebhookEndpoint;
    if (!test) return;
    const answer = test.ok
      ? words.webhooks.answered({ status: test.statusCode ?? 0, ms: test.durationMs })
      : troubleOf(test);
    setResult(
      test.ok
        ? words.webhooks.testAccepted({ answer: answer ?? '' })
        : words.webhooks.testRefused({ answer: answer ?? '' }),
    );
  };
  return (
    <Section title={words.webhooks.testTitle}>
      <p class="section-lead">{words.webhooks.testText}</p>
      <Button busy={busy} onClick={() => void run()}>
        {words.webhooks.test}
      </Button>
      <p class="test-result" role="status">
        {result}
      </p>
      <ErrorNote problem={problem} />
    </Section>
  );
}

interface StepProps {
  readonly endpointId: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

function Rotate({ endpointId, open, onClose }: StepProps) {
  const [secret, setSecret] = useState<string | null>(null);
  // A secret that was shown ends the key.
  const key = useMemo(newKey, [endpointId, secret]);
  return (
    <>
      <ConfirmWrite
        open={open}
        title={words.webhooks.rotate}
        action={words.webhooks.rotate}
        write={RotateWebhookSecret}
        variables={{ endpointId, key }}
        onDone={({ rotateWebhookSecret }) => {
          if (!rotateWebhookSecret) return;
          onClose();
          setSecret(rotateWebhookSecret.secret);
        }}
        onClose={onClose}
      >
        <p>{words.webhooks.rotateText}</p>
      </ConfirmWrite>
      <SecretDialog
        secret={secret}
        title={words.webhooks.secretTitle}
        text={words.webhooks.secretText}
        onClose={() => setSecret(null)}
      />
    </>
  );
}

function Remove({ endpointId, open, onClose }: StepProps) {
  const { route } = useLocation();
  return (
    <ConfirmWrite
      open={open}
      title={words.webhooks.remove}
      action={words.webhooks.remove}
      kind="danger"
      write={DeleteWebhookEndpoint}
      variables={{ endpointId }}
      onDone={() => route(LIST)}
      onClose={onClose}
    >
      <p>{words.webhooks.removeText}</p>
    </ConfirmWrite>
  );
}

interface EditProps {
  readonly endpoint: EndpointFactsFragment;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Changes the address, the note and the events of an endpoint. */
function EditEndpoint({ endpoint, open, onClose }: EditProps) {
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
