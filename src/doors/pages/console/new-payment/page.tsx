import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { amountFrom } from '../catalog/item.ts';
import { useCreate, useRead } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { Input } from '../client/field.tsx';
import { Loaded, SkeletonCard } from '../client/loaded.tsx';
import { moneyText } from '../client/money-text.ts';
import { NumberField } from '../client/number-field.tsx';
import { PageHead } from '../client/page-head.tsx';
import { changeQuery } from '../client/query.ts';
import { Tabs } from '../client/tabs.tsx';
import { SellAmount, SellingShop, type SellingShopQuery } from '../generated/selling.ts';
import { chargedText, feeText } from '../selling/fee.ts';
import { words } from '../shared/words.ts';
import { ItemsForm } from './items-form.tsx';
import { PaymentLink } from './payment-link.tsx';
import { useTerms } from './terms.tsx';

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

/** A payment of an amount. */
function AmountForm({ shop }: { readonly shop: SellingShopQuery }) {
  const { route } = useLocation();
  const [text, setText] = useState('');
  const [label, setLabel] = useState('');
  const [tried, setTried] = useState(false);
  const { terms, taxRate, fields } = useTerms(shop);
  const { busy, problem, send } = useCreate(SellAmount);
  const { nativeCurrency: currency } = shop.pricingConfig;
  const amount = amountFrom(text, currency) || null;
  const typed = [{ cents: Math.round((amount ?? 0) * 100), taxable: true }];
  const submit = async () => {
    setTried(true);
    if (amount === null) return;
    const input = { amount, currency, label: label.trim() || null, ...terms };
    const made = await send({ input });
    if (made) route(`/console/new?receipt=${encodeURIComponent(made.createTerminalReceipt.receiptId)}`);
  };
  return (
    <form
      class="card new-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <NumberField
        label={words.newPayment.amountIn(currency)}
        kind="money"
        currency={currency}
        hint={[feeText(shop), chargedText(shop, typed, taxRate)].filter(Boolean).join(' · ')}
        value={text}
        problem={tried && amount === null ? words.catalog.wrongPrice : null}
        onInput={setText}
      />
      <Input label={words.newPayment.note} hint={words.newPayment.noteHint} value={label} onInput={setLabel} />
      {fields}
      <ErrorNote problem={problem} />
      <Button kind="primary" type="submit" busy={busy}>
        {words.newPayment.create(amount === null ? null : moneyText(amount, currency))}
      </Button>
    </form>
  );
}
