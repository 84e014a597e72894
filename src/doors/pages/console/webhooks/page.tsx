import { useLocation } from 'preact-iso';
import { useRead } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { useDialogs } from '../client/dialogs.ts';
import { Empty } from '../client/empty.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { Select } from '../client/field.tsx';
import { PageHead } from '../client/page-head.tsx';
import { Pager, pageVariables } from '../client/pager.tsx';
import { changeQuery } from '../client/query.ts';
import { Rows, SkeletonRows } from '../client/rows.tsx';
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
  const { data, problem, again } = useRead(WebhookEndpoints, {});
  const endpoints = data?.webhookEndpoints;
  return (
    <Section title={words.webhooks.endpoints}>
      {problem !== null && <ErrorNote problem={problem} again={again} />}
      {!endpoints && problem === null && <SkeletonRows count={1} />}
      {endpoints?.length === 0 && (
        <Empty
          title={words.webhooks.noEndpoint}
          text={words.webhooks.noEndpointText}
          action={{ href: '/console/webhooks?do=add', text: words.webhooks.addFirst }}
        />
      )}
      {endpoints && endpoints.length > 0 && (
        <Rows label={words.webhooks.endpoints}>
          {endpoints.map((endpoint) => (
            <li key={endpoint.id} class="row endpoint-row">
              <a class="row-link cut" href={`/console/webhooks/${endpoint.id}`}>
                {endpoint.url}
              </a>
              <span class="soft cut">{endpoint.description || kindsText(endpoint.kinds)}</span>
              <EndpointMark endpoint={endpoint} />
            </li>
          ))}
        </Rows>
      )}
    </Section>
  );
}

const STATES = ['failed', 'pending', 'delivered'] as const;

function Deliveries() {
  const { query, url, route } = useLocation();
  const state = STATES.find((one) => one === query.state) ?? null;
  const { data, problem, loading, again } = useRead(WebhookDeliveries, {
    endpointId: query.endpoint ?? null,
    state,
    ...pageVariables(query),
  });
  const deliveries = data?.webhookDeliveries;
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
      {problem !== null && <ErrorNote problem={problem} again={again} />}
      {!deliveries && problem === null && <SkeletonRows />}
      {deliveries?.nodes.length === 0 && (
        <Empty title={words.webhooks.noDelivery} text={state === null ? words.webhooks.noDeliveryText : undefined} />
      )}
      {deliveries && deliveries.nodes.length > 0 && (
        <Rows label={words.webhooks.deliveries} old={loading}>
          {deliveries.nodes.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} />
          ))}
        </Rows>
      )}
      {deliveries && <Pager info={deliveries.pageInfo} />}
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
