import { Button } from '../client/button.tsx';
import { CopyButton } from '../client/copy-button.tsx';
import { Icon } from '../client/icon.tsx';
import { Loaded, SkeletonCard } from '../client/loaded.tsx';
import { Money, OwnMoney } from '../client/money.tsx';
import { lineAmount, ownText } from '../client/own-amount.ts';
import { PageHead } from '../client/page-head.tsx';
import { Qr } from '../client/qr.tsx';
import { ReceiptStatusMark } from '../client/status.tsx';
import { lineText } from '../client/summary.ts';
import { When } from '../client/when.tsx';
import type { SaleFragment } from '../generated/selling.ts';
import { saleStage, useSale } from '../selling/sale.ts';
import { words } from '../shared/words.ts';

/** The link of a payment with its code: to copy, to send and to print. */
export function PaymentLink({ receiptId }: { readonly receiptId: string }) {
  const { sale, ...read } = useSale(receiptId);
  const up = { href: '/console/new', title: words.newPayment.title };
  return (
    <>
      <PageHead title={sale ? words.newPayment.linkOf({ total: ownText(sale) }) : words.newPayment.link} up={up} />
      <Loaded read={read} of={sale} place={<SkeletonCard kind="link-card" lines={1} />}>
        {(found) => <LinkCard sale={found} />}
      </Loaded>
    </>
  );
}

interface LinkCardProps {
  readonly sale: SaleFragment;
  /** How much the button that copies stands out. */
  readonly kind?: 'primary' | 'quiet';
}

/** The link and the code of a payment that waits. */
export function LinkCard({ sale, kind = 'primary' }: LinkCardProps) {
  const { receiptId, paymentUrl, lineItems, expiresAt } = sale;
  const waits = saleStage(sale) === 'waiting';
  return (
    <div class="card link-card">
      <Qr text={paymentUrl} label={words.newPayment.code} />
      <div class="link-facts">
        <ReceiptStatusMark status={sale.status} />
        <ul class="lines">
          {lineItems.map(
            ({ label, qty, priceUsd }, n) =>
              priceUsd !== 0 && (
                <li key={`${label}${n}`}>
                  <span>
                    <bdi>{lineText(label)}</bdi>
                    {qty !== null && qty > 1 && <span class="soft"> × {qty}</span>}
                  </span>
                  <Money {...lineAmount(sale, n)} />
                </li>
              ),
          )}
          <li class="line-total">
            <span>{words.receipt.total}</span>
            <OwnMoney receipt={sale} />
          </li>
        </ul>
        <p class="mono link-text">{paymentUrl}</p>
        {waits && (
          <p class="soft">
            {expiresAt === null ? words.newPayment.never : words.newPayment.until}{' '}
            {expiresAt && <When at={expiresAt} />}
          </p>
        )}
        <div class="link-actions">
          <CopyButton kind={kind} text={paymentUrl}>
            {words.newPayment.copy}
          </CopyButton>
          {'share' in navigator && (
            <Button onClick={() => void navigator.share({ url: paymentUrl }).catch(() => {})}>
              <Icon name="send" />
              {words.newPayment.share}
            </Button>
          )}
          <Button onClick={() => print()}>
            <Icon name="print" />
            {words.newPayment.print}
          </Button>
          <Button href={`/console/receipts/${encodeURIComponent(receiptId)}`}>{words.till.receipt}</Button>
        </div>
      </div>
    </div>
  );
}
