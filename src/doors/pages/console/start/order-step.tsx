import { useLocation } from 'preact-iso';
import { useCreate, useRead } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { useInside } from '../client/inside.ts';
import { Unread } from '../client/loaded.tsx';
import { SellItems } from '../generated/selling.ts';
import { StartProduct } from '../generated/start.ts';
import { LinkCard } from '../new-payment/payment-link.tsx';
import { useSale } from '../selling/sale.ts';
import { words } from '../shared/words.ts';
import { isDone, type StepProps, stepUrl } from './steps.ts';

/** An order of the first product, with the page on which it is paid. */
export function OrderStep({ steps, nextUrl }: StepProps) {
  const { query } = useLocation();
  if (query.receipt) return <Placed key={query.receipt} receiptId={query.receipt} nextUrl={nextUrl} />;
  const missing = (['split', 'product'] as const).find((step) => !isDone(steps, step));
  if (missing)
    return (
      <>
        <p>{missing === 'split' ? words.start.needsSplit : words.start.needsProduct}</p>
        <div class="save-row">
          <Button kind="primary" href={stepUrl(missing)}>
            {words.start.steps[missing].title}
          </Button>
        </div>
      </>
    );
  return <Place isAgain={isDone(steps, 'order')} nextUrl={nextUrl} />;
}

function Place({ isAgain, nextUrl }: { readonly isAgain: boolean; readonly nextUrl: string }) {
  const { route } = useLocation();
  const { data, problem, again } = useRead(StartProduct, {}, { again: false });
  const { busy, problem: refused, send } = useCreate(SellItems);
  const product = data?.inventory.nodes[0];
  if (problem !== null || !product) return <Unread problem={problem} again={again} />;
  const place = async () => {
    const input = { items: [{ item: { id: product.id }, qty: 1 }] };
    const made = await send({ input });
    if (made) route(`${stepUrl('order')}&receipt=${encodeURIComponent(made.createOrder.receiptId)}`);
  };
  return (
    <>
      {isAgain && <p>{words.start.hasOrder}</p>}
      <ErrorNote problem={refused} />
      <div class="save-row">
        <Button kind="primary" busy={busy} onClick={() => void place()}>
          {words.start.orderOf({ name: product.name })}
        </Button>
        <Button href={nextUrl}>{isAgain ? words.start.next : words.start.later}</Button>
      </div>
    </>
  );
}

function Placed({ receiptId, nextUrl }: { readonly receiptId: string; readonly nextUrl: string }) {
  const { chain } = useInside().settings;
  const { sale, problem, again } = useSale(receiptId);
  if (problem !== null || !sale) return <Unread problem={problem} again={again} />;
  return (
    <>
      <p>
        {words.start.payText} {chain.local && words.start.payTest}
      </p>
      <LinkCard sale={sale} kind="quiet" />
      <div class="save-row">
        <Button kind="primary" href={sale.paymentUrl} away>
          {words.start.payIt}
        </Button>
        <Button href={nextUrl}>{words.start.next}</Button>
      </div>
    </>
  );
}
