import { useLocation } from 'preact-iso';
import { useRead } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { Loaded, SkeletonCard } from '../client/loaded.tsx';
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
  const read = useRead(SellingShop, {});
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
      <Loaded read={read} of={read.data} place={<SkeletonCard kind="new-form" lines={2} />}>
        {(shop) => (ofItems ? <ItemsForm shop={shop} /> : <AmountForm shop={shop} />)}
      </Loaded>
    </>
  );
}
