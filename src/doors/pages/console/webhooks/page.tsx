import { useLocation } from 'preact-iso';
import { useRead } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { useDialogs } from '../client/dialogs.ts';
import { Select } from '../client/field.tsx';
import { LoadedRows } from '../client/loaded.tsx';
import { PageHead } from '../client/page-head.tsx';
import { pageVariables } from '../client/pager.tsx';
import { changeQuery } from '../client/query.ts';
import { Section } from '../client/section.tsx';
import { When } from '../client/when.tsx';
import { WebhookDeliveries, type WebhookDeliveriesQuery, WebhookEndpoints } from '../generated/webhooks.ts';
import { words } from '../shared/words.ts';
import { AddEndpoint } from './add-endpoint.tsx';
import { kindsText } from './kinds.tsx';
import { DeliveryMark, EndpointMark, eventName } from './state.tsx';

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
      </div>
      <LoadedRows
        read={read}
        of={read.data?.webhookDeliveries}
        label={words.webhooks.deliveries}
        empty={{ title: words.webhooks.noDelivery, text: state === null ? words.webhooks.noDeliveryText : undefined }}
        row={(delivery) => <DeliveryRow key={delivery.id} delivery={delivery} />}
      />
    </Section>
  );
}

type Delivery = NonNullable<WebhookDeliveriesQuery['webhookDeliveries']>['nodes'][number];

function DeliveryRow({ delivery }: { readonly delivery: Delivery }) {
  const { id, event, receiptId, url, createdAt } = delivery;
  return (
    <li class="row delivery-row">
      <a class="row-link cut" href={`/console/webhooks/deliveries/${id}`}>
        {eventName(event)}
      </a>
      <span class="soft cut">{receiptId ?? url}</span>
      <DeliveryMark delivery={delivery} />
      <span class="soft row-end">
        <When at={createdAt} />
      </span>
    </li>
  );
}
