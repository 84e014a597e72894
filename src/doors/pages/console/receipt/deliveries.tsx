import { useRead, useWrite } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { useReadOnNews } from '../client/receipts-feed.ts';
import { Rows } from '../client/rows.tsx';
import { Section } from '../client/section.tsx';
import { When } from '../client/when.tsx';
import { ReceiptDeliveries, type ReceiptDeliveriesQuery, RedeliverWebhook } from '../generated/receipt.ts';
import { words } from '../shared/words.ts';
import { DeliveryMark, eventName } from '../webhooks/state.tsx';

type Delivery = ReceiptDeliveriesQuery['webhookDeliveries']['nodes'][number];

/** The webhooks of a receipt, what was answered, and a button that sends one again. */
export function Deliveries({ receiptId }: { readonly receiptId: string }) {
  const { data, problem, again } = useRead(ReceiptDeliveries, { receiptId });
  useReadOnNews(again, receiptId);
  const deliveries = data?.webhookDeliveries.nodes ?? [];
  if (problem === null && deliveries.length === 0) return null;
  return (
    <Section title={words.receipt.deliveries}>
      <ErrorNote problem={problem} again={again} />
      <Rows label={words.receipt.deliveries}>
        {deliveries.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} again={again} />
        ))}
      </Rows>
    </Section>
  );
}

function DeliveryRow({ delivery, again }: { readonly delivery: Delivery; readonly again: () => void }) {
  const { id, event, state, url, createdAt, attempts } = delivery;
  const { busy, problem, send } = useWrite(RedeliverWebhook);
  const last = attempts.at(-1);
  const answer = last && (last.statusCode === null ? last.error : words.receipt.answered(last.statusCode));
  return (
    <li class="row sent-row">
      <span class="cut">
        {eventName(event)} <span class="soft">{url}</span>
      </span>
      <DeliveryMark delivery={delivery} />
      <span class="soft delivery-answer">
        <When at={createdAt} /> {answer}
      </span>
      {state === 'failed' && (
        <Button
          busy={busy}
          onClick={async () => {
            if (await send({ deliveryId: id })) again();
          }}
        >
          {words.receipt.sendAgain}
        </Button>
      )}
      <ErrorNote problem={problem} />
    </li>
  );
}
