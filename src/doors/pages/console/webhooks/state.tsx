import { type ReceiptStatus, WEBHOOK_STATUS } from '../../../../domain/sales/receipts/lifecycle.ts';
import { Status } from '../client/status.tsx';
import type { WebhookDeliveriesQuery, WebhookEndpointsQuery } from '../generated/webhooks.ts';
import { wordFor, words } from '../shared/words.ts';

type Delivery = Pick<NonNullable<WebhookDeliveriesQuery['webhookDeliveries']>['nodes'][number], 'state'> & {
  readonly attempts: readonly unknown[];
};

const TONES = { delivered: 'mark', pending: 'plain', failed: 'bad' } as const satisfies Record<
  Delivery['state'],
  string
>;

/** The statuses by the names that the webhook of a receipt has for them. */
const REPORTED = new Map(
  Object.entries(WEBHOOK_STATUS).map(([status, name]) => [name, words.statuses[status as ReceiptStatus]]),
);

/** What a delivery tells, in words: “Receipt: Paid”. */
export function sentText({ event, status }: { readonly event: string; readonly status: string | null }): string {
  const kind = event.replace('_', '.');
  if (status !== null) {
    const { reports } = words.history;
    return words.webhooks.receiptIs({
      status: REPORTED.get(status) ?? wordFor(reports, status) ?? status.replaceAll('_', ' '),
    });
  }
  const named = wordFor(words.webhooks.sent, kind.replace('.', '_'));
  if (named !== undefined) return named;
  const [resource, name = ''] = kind.split('.');
  return resource === 'receipt' ? words.webhooks.receiptIs({ status: wordFor(words.statuses, name) ?? name }) : kind;
}

/** To whom a delivery is sent: its address without what all have in common. */
export const addressText = (url: string): string => words.webhooks.to({ address: url.replace(/^https?:\/\//, '') });

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
    if (disabledReason === 'key_ended') return <Status tone="muted">{words.webhooks.keyEnded}</Status>;
    const failed = disabledReason === 'failing';
    return <Status tone={failed ? 'bad' : 'muted'}>{failed ? words.webhooks.gaveUp : words.webhooks.off}</Status>;
  }
  if (failingSince !== null) return <Status tone="warn">{words.webhooks.failing}</Status>;
  return <Status tone="mark">{words.webhooks.on}</Status>;
}
