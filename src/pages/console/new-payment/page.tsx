import { useLocation } from 'preact-iso';
import { useRead } from '../client/ask.ts';
import { changeQuery } from '../client/query.ts';
import { Button } from '../components/button.tsx';
import { ErrorNote } from '../components/error-note.tsx';
import { PageHead } from '../components/page-head.tsx';
import { SellingShop } from '../generated/selling.ts';
import { words } from '../words.ts';
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
        <Button href="/console/till">{words.till.open}</Button>
      </PageHead>
      <nav class="choices new-of" aria-label={words.newPayment.of}>
        <a class="choice" aria-current={ofItems ? undefined : 'page'} href={changeQuery(url, { of: '' })}>
          {words.newPayment.amount}
        </a>
        <a class="choice" aria-current={ofItems ? 'page' : undefined} href={changeQuery(url, { of: 'items' })}>
          {words.newPayment.items}
        </a>
      </nav>
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
