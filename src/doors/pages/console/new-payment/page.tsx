import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { amountFrom } from '../catalog/item.ts';
import { useCreate, useRead } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { Input, NumberField } from '../client/field.tsx';
import { Loaded, SkeletonCard } from '../client/loaded.tsx';
import { moneyText } from '../client/money-text.ts';
import { PageHead } from '../client/page-head.tsx';
import { changeQuery } from '../client/query.ts';
import { Tabs } from '../client/tabs.tsx';
import { CreatePaymentLink } from '../generated/links.ts';
import { SellAmount, SellingShop, type SellingShopQuery } from '../generated/selling.ts';
import { chargedText, feeText } from '../selling/fee.ts';
import { words } from '../shared/words.ts';
import { ItemsForm } from './items-form.tsx';
import { PaymentLink } from './payment-link.tsx';
import { type Making, useTerms } from './terms.tsx';

/** A link and a code for an amount, or for items of the catalog. */
export default function NewPaymentPage() {
  const { query, url } = useLocation();
  const read = useRead(SellingShop, {});
  if (query.receipt) return <PaymentLink key={query.receipt} receiptId={query.receipt} />;
  const ofItems = query.of === 'items';
  const making: Making = query.as === 'link' ? 'link' : 'once';
  return (
    <>
      {making === 'once' ? (
        <PageHead title={words.newPayment.title} lead={words.newPayment.lead}>
          <Button brief="till" href="/console/till">
            {words.till.open}
          </Button>
        </PageHead>
      ) : (
        <PageHead
          title={words.links.add}
          lead={words.links.lead}
          up={{ href: '/console/links', title: words.links.title }}
        />
      )}
      <Tabs
        label={words.newPayment.of}
        tabs={[
          { href: changeQuery(url, { of: '', q: '' }), text: words.newPayment.amount, current: !ofItems },
          { href: changeQuery(url, { of: 'items' }), text: words.newPayment.items, current: ofItems },
        ]}
      />
      <Loaded read={read} of={read.data} place={<SkeletonCard kind="new-form" lines={2} />}>
        {(shop) =>
          ofItems ? (
            <ItemsForm key={making} shop={shop} making={making} />
          ) : (
            <AmountForm key={making} shop={shop} making={making} />
          )
        }
      </Loaded>
    </>
  );
}

/** A payment of an amount. */
function AmountForm({ shop, making }: { readonly shop: SellingShopQuery; readonly making: Making }) {
  const { route } = useLocation();
  const [text, setText] = useState('');
  const [label, setLabel] = useState('');
  const [tried, setTried] = useState(false);
  const { terms, limits, isWrong, taxRate, fields } = useTerms(shop, making);
  const selling = useCreate(SellAmount);
  const linking = useCreate(CreatePaymentLink);
  const { busy, problem } = making === 'link' ? linking : selling;
  const { nativeCurrency: currency } = shop.pricingConfig;
  const amount = amountFrom(text, currency) || null;
  const typed = [{ cents: Math.round((amount ?? 0) * 100), taxable: true }];
  const submit = async () => {
    setTried(true);
    if (amount === null || isWrong) return;
    const name = label.trim();
    if (making === 'link') {
      if (!name) return;
      const link = await linking.send({ input: { name, content: { amount }, currency, ...terms, ...limits() } });
      if (link?.createPaymentLink) route(`/console/links/${link.createPaymentLink.linkId}`);
      return;
    }
    const made = await selling.send({ input: { amount, currency, label: name || null, ...terms } });
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
        label={words.newPayment.amountIn({ currency })}
        kind="money"
        currency={currency}
        hint={[feeText(shop), chargedText(shop, typed, taxRate)].filter(Boolean).join(' · ')}
        value={text}
        problem={tried && amount === null ? words.catalog.wrongPrice : null}
        onInput={setText}
      />
      <Input
        label={words.newPayment.note}
        hint={words.newPayment.noteHint}
        value={label}
        problem={making === 'link' && tried && !label.trim() ? words.catalog.nameNeeded : null}
        onInput={setLabel}
      />
      {fields}
      <ErrorNote problem={problem} />
      <Button kind="primary" type="submit" busy={busy}>
        {amount === null
          ? words.newPayment.create
          : words.newPayment.createFor({ amount: moneyText(amount, currency) })}
      </Button>
    </form>
  );
}
