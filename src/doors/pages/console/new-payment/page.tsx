import { useLocation } from 'preact-iso';
import { useRead } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { PageHead } from '../client/page-head.tsx';
import { changeQuery } from '../client/query.ts';
import { Tabs } from '../client/tabs.tsx';
import { SellingShop } from '../generated/selling.ts';
import { words } from '../shared/words.ts';
import { AmountForm } from './amount-form.tsx';
import { ItemsForm } from './items-form.tsx';
import { PaymentLink } from './payment-link.tsx';

/** A link and a code for an amount, or for items of the catalog. */
export default function NewPaymentPage() {
  const { query, url } = useLocation();
  const { data, problem, again } = useRead(SellingShop, {});
  if (query.receipt) return <PaymentLink key={query.receipt} receiptId={query.receipt} />;
  const ofItems = query.of === 'items';
  return (
    <>
      <PageHead title={words.newPayment.title} lead={words.newPayment.lead}>
        <Button brief="till" href="/console/till">
          {words.till.open}
        </Button>
      </PageHead>
      <Tabs
        label={words.newPayment.of}
        tabs={[
          { href: changeQuery(url, { of: '', q: '' }), text: words.newPayment.amount, current: !ofItems },
          { href: changeQuery(url, { of: 'items' }), text: words.newPayment.items, current: ofItems },
        ]}
      />
      {problem !== null && <ErrorNote problem={problem} again={again} />}
      {data ? (
        ofItems ? (
          <ItemsForm shop={data} />
        ) : (
          <AmountForm shop={data} />
        )
      ) : (
        problem === null && (
          <div class="card new-form" aria-busy="true">
            <span class="skeleton" />
            <span class="skeleton" />
          </div>
        )
      )}
    </>
  );
}
