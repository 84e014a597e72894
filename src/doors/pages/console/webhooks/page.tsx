import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useCreate, useRead } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { Dialog, useDialogs } from '../client/dialog.tsx';
import { Select } from '../client/field.tsx';
import { LoadedRows } from '../client/loaded.tsx';
import { PageHead } from '../client/page-head.tsx';
import { changeQuery } from '../client/query.ts';
import { pageVariables } from '../client/rows.tsx';
import { SecretDialog } from '../client/secret-dialog.tsx';
import { Section } from '../client/section.tsx';
import { ForSelected, type Selection, SelectRow, useSelection } from '../client/selection.tsx';
import { When } from '../client/when.tsx';
import {
  AddWebhookEndpoint,
  RedeliverWebhooks,
  WebhookDeliveries,
  type WebhookDeliveriesQuery,
  WebhookEndpoints,
} from '../generated/webhooks.ts';
import { words } from '../shared/words.ts';
import { EndpointForm } from './endpoint-form.tsx';
import { kindsText } from './kinds.tsx';
import { SendAllAgain } from './send-all-again.tsx';
import { addressText, DeliveryMark, EndpointMark, sentText } from './state.tsx';
import { troubleOf } from './trouble.ts';

/** Where events are sent, and what became of each. */
export default function WebhooksPage() {
  const dialogs = useDialogs();
  return (
    <>
      <PageHead title={words.webhooks.title} lead={words.webhooks.lead}>
        <Button kind="primary" href={dialogs.hrefOf('add')}>
          {words.webhooks.add}
        </Button>
      </PageHead>
      <Endpoints />
      <Deliveries />
      <AddEndpoint open={dialogs.isOpen('add')} onClose={dialogs.close} />
    </>
  );
}

function Endpoints() {
  const read = useRead(WebhookEndpoints, {});
  return (
    <Section title={words.webhooks.endpoints}>
      <LoadedRows
        read={read}
        of={read.data?.webhookEndpoints}
        place={1}
        label={words.webhooks.endpoints}
        empty={{
          title: words.webhooks.noEndpoint,
          text: words.webhooks.noEndpointText,
          action: { href: '/console/webhooks?do=add', text: words.webhooks.addFirst },
        }}
        row={(endpoint) => (
          <li key={endpoint.id} class="row endpoint-row">
            <a class="row-link cut" href={`/console/webhooks/${endpoint.id}`}>
              {endpoint.url}
            </a>
            <span class="soft cut">{endpoint.description || kindsText(endpoint.kinds)}</span>
            <EndpointMark endpoint={endpoint} />
          </li>
        )}
      />
    </Section>
  );
}

const STATES = ['failed', 'pending', 'delivered'] as const;

function Deliveries() {
  const { query, url, route } = useLocation();
  const state = STATES.find((one) => one === query.state) ?? null;
  const read = useRead(WebhookDeliveries, {
    endpointId: query.endpoint ?? null,
    state,
    ...pageVariables(query),
  });
  const dialogs = useDialogs();
  const selection = useSelection();
  const [queued, setQueued] = useState<number | null>(null);
  const isFiltered = state !== null || query.endpoint !== undefined;
  const anyFailed = read.data?.webhookDeliveries.nodes.some((delivery) => delivery.state === 'failed');
  return (
    <Section title={words.webhooks.deliveries}>
      <div class="filters">
        <Select
          label={words.webhooks.show}
          value={state ?? ''}
          onChange={(value) => route(changeQuery(url, { state: value, after: '', before: '' }), true)}
        >
          <option value="">{words.webhooks.all}</option>
          {STATES.map((one) => (
            <option key={one} value={one}>
              {words.webhooks.states[one]}
            </option>
          ))}
        </Select>
        {query.endpoint && (
          <Button kind="plain" href={changeQuery(url, { endpoint: '', after: '', before: '' })}>
            {words.webhooks.everyEndpoint}
          </Button>
        )}
        {anyFailed && <Button href={dialogs.hrefOf('replay')}>{words.webhooks.replay}</Button>}
      </div>
      <p role="status">{queued !== null && words.webhooks.replayed({ count: queued })}</p>
      <LoadedRows
        read={read}
        of={read.data?.webhookDeliveries}
        label={words.webhooks.deliveries}
        empty={
          isFiltered
            ? { title: words.webhooks.noDelivery, action: { href: '/console/webhooks', text: words.webhooks.showAll } }
            : { title: words.webhooks.noDelivery, text: words.webhooks.noDeliveryText }
        }
        row={(delivery) => <DeliveryRow key={delivery.id} delivery={delivery} selection={selection} />}
      />
      <ForSelected
        selection={selection}
        write={RedeliverWebhooks}
        outcomes={(data) => data.redeliverWebhooks}
        action={(count) => words.webhooks.again({ count })}
        text={words.webhooks.againText}
      />
      <SendAllAgain
        endpointId={query.endpoint ?? null}
        open={dialogs.isOpen('replay')}
        onDone={(count) => {
          setQueued(count);
          dialogs.close();
          read.again();
        }}
        onClose={dialogs.close}
      />
    </Section>
  );
}

type Delivery = NonNullable<WebhookDeliveriesQuery['webhookDeliveries']>['nodes'][number];

function DeliveryRow({ delivery, selection }: { readonly delivery: Delivery; readonly selection: Selection }) {
  const { id, receiptId, url, state, createdAt, attempts } = delivery;
  const last = attempts.at(-1);
  const trouble = state === 'delivered' || last === undefined ? null : troubleOf(last);
  const about = [receiptId && words.webhooks.ofReceipt({ receiptId }), trouble].filter(Boolean).join(' · ');
  return (
    <li class="row delivery-row">
      {state !== 'pending' && (
        <SelectRow selection={selection} id={id} name={[sentText(delivery), about].filter(Boolean).join(', ')} />
      )}
      <a class="row-link cut" href={`/console/webhooks/deliveries/${id}`}>
        {sentText(delivery)}
      </a>
      <span class="soft cut">{addressText(url)}</span>
      <DeliveryMark delivery={delivery} />
      <span class="soft row-end">
        <When at={createdAt} />
      </span>
      {about && <span class="soft delivery-about">{about}</span>}
    </li>
  );
}

const FIRST = { url: '', description: '', kinds: ['receipt.*'] };

interface AddEndpointProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Registers an endpoint, then shows its secret. */
function AddEndpoint({ open, onClose }: AddEndpointProps) {
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
