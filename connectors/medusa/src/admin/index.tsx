import { Container, Heading, Text } from '@medusajs/ui';
import { useEffect, useState } from 'react';
import { type PaymentState, STATES } from '../../../../src/client/connect/states.ts';

const PROVIDER = 'pp_quittance_quittance';
const FIELDS = 'payment_collections.payment_sessions.provider_id,payment_collections.payment_sessions.data';

interface Session {
  readonly provider_id: string;
  readonly data: { readonly receipt_id: string; readonly payment_url: string; readonly state: PaymentState };
}

/** The crypto payments of an order: how each stands, and its page. */
function PaymentWidget({ data: order }: { readonly data: { readonly id: string } }) {
  const [sessions, setSessions] = useState<readonly Session[]>([]);
  useEffect(() => {
    fetch(`/admin/orders/${order.id}?fields=${FIELDS}`, { credentials: 'include' })
      .then((answer) => answer.json())
      .then(({ order: found }: { order?: { payment_collections?: { payment_sessions?: Session[] }[] } }) =>
        setSessions((found?.payment_collections ?? []).flatMap(({ payment_sessions }) => payment_sessions ?? [])),
      )
      .catch(() => setSessions([]));
  }, [order.id]);
  const own = sessions.filter(({ provider_id }) => provider_id === PROVIDER);
  if (own.length === 0) return null;
  return (
    <Container>
      <Heading level="h2">Crypto payment</Heading>
      {own.map(({ data: { receipt_id, payment_url, state } }) => (
        <Text key={receipt_id} size="small">
          {STATES[state].text}:{' '}
          <a href={payment_url} target="_blank" rel="noreferrer">
            {receipt_id}
          </a>
        </Text>
      ))}
      <Text size="small">A refund is asked for here, and sent by you in the Quittance console.</Text>
    </Container>
  );
}

/** What the admin of Medusa reads of a plugin. */
export default {
  widgetModule: { widgets: [{ Component: PaymentWidget, zone: ['order.details.side.after'] }] },
  routeModule: { routes: [] },
  menuItemModule: { menuItems: [] },
  formModule: { customFields: {} },
  displayModule: { displays: {} },
  i18nModule: { resources: {} },
};
