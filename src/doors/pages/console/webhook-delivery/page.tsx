import { useRead, useWrite } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import type { PageProps } from '../client/console-page.ts';
import { ErrorNote } from '../client/error-note.tsx';
import { Loaded } from '../client/loaded.tsx';
import { PageHead } from '../client/page-head.tsx';
import { Facts, Section } from '../client/section.tsx';
import { Status } from '../client/status.tsx';
import { When } from '../client/when.tsx';
import { type DeliveryFactsFragment, SendAgain, WebhookDelivery } from '../generated/webhook-delivery.ts';
import { words } from '../shared/words.ts';
import { DeliveryMark, sentText } from '../webhooks/state.tsx';
import { troubleOf } from '../webhooks/trouble.ts';

/** One delivery: what was sent, and what the receiver answered to each attempt. */
export default function WebhookDeliveryPage({ params }: PageProps) {
  const deliveryId = params.deliveryId ?? '';
  const read = useRead(WebhookDelivery, { deliveryId });
  const { again } = read;
  const resend = useWrite(SendAgain);
  const delivery = read.data?.webhookDelivery;
  const sendAgain = async () => {
    if (await resend.send({ deliveryId })) again();
  };
  return (
    <>
      <PageHead
        title={delivery ? sentText(delivery) : words.webhooks.delivery}
        up={{ href: '/console/webhooks', title: words.webhooks.title }}
      >
        {delivery && (
          <>
            {delivery.state === 'pending' && (
              <Button brief="repeat" onClick={again}>
                {words.webhooks.refresh}
              </Button>
            )}
            <Button kind="primary" busy={resend.busy} onClick={() => void sendAgain()}>
              {words.webhooks.sendAgain}
            </Button>
          </>
        )}
      </PageHead>
      <ErrorNote problem={read.problem} again={read.again} />
      <ErrorNote problem={resend.problem} />
      <Loaded read={read} of={delivery} place={3} problemElsewhere>
        {(found) => <Delivery delivery={found} />}
      </Loaded>
    </>
  );
}

function Delivery({ delivery }: { readonly delivery: DeliveryFactsFragment }) {
  const { url, receiptId, endpointId, id, eventId, createdAt, attempts, body } = delivery;
  return (
    <>
      <div class="card">
        <Facts
          facts={[
            [words.webhooks.state, <DeliveryMark key="state" delivery={delivery} />],
            [words.webhooks.sentTo, endpointId ? <a href={`/console/webhooks/${endpointId}`}>{url}</a> : url],
            [words.webhooks.receipt, receiptId && <a href={receiptHref(receiptId)}>{receiptId}</a>],
            [words.webhooks.happened, <When key="at" at={createdAt} />],
            [
              words.webhooks.id,
              <span key="id" class="mono">
                {eventId ?? id}
              </span>,
            ],
          ]}
        />
        {endpointId === null && (
          <p class="soft">
            {words.webhooks.orderOnly} <a href="/console/webhooks?do=add">{words.webhooks.add}</a>
          </p>
        )}
      </div>
      <Section title={words.webhooks.attempts}>
        {attempts.length === 0 && <p class="soft">{words.webhooks.noAttempt}</p>}
        <ol class="attempts">
          {[...attempts].reverse().map((attempt) => (
            <AttemptItem key={attempt.number} attempt={attempt} />
          ))}
        </ol>
      </Section>
      <Section title={words.webhooks.body}>
        <Code text={indented(body)} label={words.webhooks.bodyText} />
      </Section>
    </>
  );
}

const receiptHref = (receiptId: string) => `/console/receipts/${encodeURIComponent(receiptId)}`;

function AttemptItem({ attempt }: { readonly attempt: DeliveryFactsFragment['attempts'][number] }) {
  const { number, at, durationMs, statusCode, error, answer } = attempt;
  const trouble = troubleOf(attempt);
  return (
    <li class="card attempt">
      <div class="attempt-head">
        <Status tone={trouble === null ? 'mark' : 'bad'}>
          {statusCode === null ? words.webhooks.noAnswer : statusCode}
        </Status>
        <span class="soft">
          {words.webhooks.attempt({ number })} · <When at={at} /> · {words.webhooks.took({ ms: durationMs })}
        </span>
      </div>
      {trouble !== null && <p>{trouble}</p>}
      {error !== null && <p class="soft">{words.webhooks.technical({ error })}</p>}
      {answer && <Code text={answer} label={words.webhooks.answerTo({ number })} />}
    </li>
  );
}

function Code({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard.
    <section class="code" tabIndex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
  );
}

/** JSON with one field a line; any other text as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
