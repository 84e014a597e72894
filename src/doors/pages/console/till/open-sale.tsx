import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../client/button.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { moneyText } from '../client/money-text.ts';
import { lineAmount, ownText } from '../client/own-amount.ts';
import { Qr } from '../client/qr.tsx';
import { lineText } from '../client/summary.ts';
import type { SaleFragment } from '../generated/selling.ts';
import { saleStage, useSale } from '../selling/sale.ts';
import { words } from '../shared/words.ts';
import { playPaid } from './sound.ts';

/** The screen of a sale that waits for its payment, and its sign when it is paid. */
export function OpenSale({ receiptId }: { readonly receiptId: string }) {
  const { sale, problem, again } = useSale(receiptId);
  const stage = sale ? saleStage(sale) : 'waiting';
  useAwake(stage === 'waiting' || stage === 'seen');
  usePaidSign(stage);
  if (problem !== null && !sale) return <ErrorNote problem={problem} again={again} />;
  if (!sale)
    return (
      <div class="till-open" aria-busy="true">
        <p class="soft">{words.loading}</p>
      </div>
    );
  const total = ownText(sale);
  const shown = stage === 'waiting' || stage === 'seen';
  return (
    <div class="till-open" data-sale={stage}>
      <p class="till-total number">{total}</p>
      {sale.pricing === null && sale.lineItems.length > 1 && <Lines sale={sale} />}
      {shown ? (
        <a class="till-code" href={sale.paymentUrl} target="_blank" rel="noopener noreferrer">
          <Qr text={sale.paymentUrl} label={words.till.code} />
        </a>
      ) : (
        <Sign stage={stage} />
      )}
      <p class="till-state" role="status">
        {words.till.stages[stage]}
      </p>
      <div class="till-actions">
        {!shown && <Button href={`/console/receipts/${encodeURIComponent(receiptId)}`}>{words.till.receipt}</Button>}
        <Button kind={stage === 'paid' ? 'primary' : 'quiet'} href="/console/till">
          {shown ? words.till.leave : words.till.next}
        </Button>
      </div>
    </div>
  );
}

/** What the total is made of: the amount, tip, tax and fee. */
function Lines({ sale }: { readonly sale: SaleFragment }) {
  return (
    <ul class="soft till-lines">
      {sale.lineItems.map(({ label }, n) => {
        const { amount, currency } = lineAmount(sale, n);
        return (
          amount > 0 && (
            <li key={label}>
              {lineText(label)} {moneyText(amount, currency)}
            </li>
          )
        );
      })}
    </ul>
  );
}

function Sign({ stage }: { readonly stage: 'paid' | 'short' | 'ended' }) {
  return (
    <svg class="till-sign" viewBox="0 0 120 120" aria-hidden="true">
      <circle cx="60" cy="60" r="56" />
      <path
        d={
          stage === 'paid'
            ? 'm36 62 17 17 32-36'
            : stage === 'short'
              ? 'M60 34v32M60 82h.1'
              : 'M42 42l36 36M78 42 42 78'
        }
      />
    </svg>
  );
}

/** Sounds and vibrates once when the sale becomes paid, not if it was paid before. */
function usePaidSign(stage: string): void {
  const before = useRef(stage);
  useEffect(() => {
    if (stage === 'paid' && before.current !== 'paid') {
      playPaid();
      navigator.vibrate?.([80, 60, 160]);
    }
    before.current = stage;
  }, [stage]);
}

/** Keeps the screen on, where the browser can. */
function useAwake(awake: boolean): void {
  useEffect(() => {
    if (!awake || !navigator.wakeLock) return;
    let lock: WakeLockSentinel | undefined;
    let over = false;
    const hold = async () => {
      if (document.hidden) return;
      lock = await navigator.wakeLock.request('screen').catch(() => undefined);
      if (over) void lock?.release();
    };
    void hold();
    document.addEventListener('visibilitychange', hold);
    return () => {
      over = true;
      document.removeEventListener('visibilitychange', hold);
      void lock?.release();
    };
  }, [awake]);
}
