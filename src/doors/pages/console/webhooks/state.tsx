import { Status } from '../client/status.tsx';
import type { WebhookDeliveriesQuery, WebhookEndpointsQuery } from '../generated/webhooks.ts';
import { words } from '../shared/words.ts';

type Delivery = Pick<NonNullable<WebhookDeliveriesQuery['webhookDeliveries']>['nodes'][number], 'state' | 'attempts'>;

const TONES = { delivered: 'mark', pending: 'plain', failed: 'bad' } as const satisfies Record<
  Delivery['state'],
  string
>;

/** The type of an event as its receiver reads it: `receipt.paid`. */
export const eventName = (event: string): string => event.replace('_', '.');

/** The state of a delivery. One that is on its way after an attempt has not been accepted so far. */
export function DeliveryMark({ delivery: { state, attempts } }: { readonly delivery: Delivery }) {
  if (state === 'pending' && attempts.length > 0)
    return (
      <Status tone="warn" open>
        {words.webhooks.tryingAgain}
      </Status>
    );
  return (
    <Status tone={TONES[state]} open={state === 'pending'}>
      {words.webhooks.states[state]}
    </Status>
  );
}

type Endpoint = Pick<
  NonNullable<WebhookEndpointsQuery['webhookEndpoints']>[number],
  'enabled' | 'disabledReason' | 'failingSince'
>;

/** Whether an endpoint receives events, and if not, why. */
export function EndpointMark({ endpoint: { enabled, disabledReason, failingSince } }: { readonly endpoint: Endpoint }) {
  if (!enabled) {
    const failed = disabledReason === 'failing';
    return <Status tone={failed ? 'bad' : 'muted'}>{failed ? words.webhooks.gaveUp : words.webhooks.off}</Status>;
  }
  if (failingSince !== null) return <Status tone="warn">{words.webhooks.failing}</Status>;
  return <Status tone="mark">{words.webhooks.on}</Status>;
}
