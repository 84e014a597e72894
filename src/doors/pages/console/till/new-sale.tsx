import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { amountFrom } from '../catalog/item.ts';
import { useCreate } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { NumberField } from '../client/field.tsx';
import { Icon } from '../client/icon.tsx';
import { moneyText } from '../client/money-text.ts';
import { plainDigits } from '../client/typed-number.ts';
import { SellAmount, type SellingShopQuery } from '../generated/selling.ts';
import { chargedText, feeText } from '../selling/fee.ts';
import { rateText, TaxSelect, useTax } from '../selling/tax.tsx';
import { words } from '../shared/words.ts';
import { press } from './press.ts';

/** How long a buyer at the counter has. Money that arrives later still counts, as the shop's settings say. */
const EXPIRES_MINUTES = 30;

/** The amount of the next sale. */
export function NewSale({ shop }: { readonly shop: SellingShopQuery | undefined }) {
  const { route } = useLocation();
  const [cents, setCents] = useState(0);
  const [tip, setTip] = useState<Tip>({ kind: 'none' });
  const { busy, problem, send, clear } = useCreate(SellAmount);
  const { tax, choose } = useTax(shop?.taxCatalog.jurisdictions);
  const currency = shop?.pricingConfig.nativeCurrency ?? 'USD';
  const extra = tipCents(tip, cents, currency);
  useEffect(clear, [cents, extra, currency, tax?.code]);
  const ready = shop !== undefined && cents > 0 && !busy;
  // Of the latest amount: two keys may be pressed before the page is drawn again.
  const type = (pressed: string) => setCents((old) => press(old, pressed));
  const charge = async () => {
    if (!ready) return;
    const input = {
      amount: cents / 100,
      currency,
      tip: extra > 0 ? extra / 100 : null,
      jurisdictionCode: tax?.code ?? null,
      expiresInMinutes: EXPIRES_MINUTES,
    };
    const made = await send({ input });
    if (made) route(`/console/till?receipt=${encodeURIComponent(made.createTerminalReceipt.receiptId)}`);
  };
  return (
    <div class="till-new">
      <TaxSelect jurisdictions={shop?.taxCatalog.jurisdictions ?? []} code={tax?.code ?? ''} onChange={choose} />
      <div class="till-display">
        <output class="till-amount number" aria-live="polite" aria-label={words.till.amount}>
          {moneyText(cents / 100, currency)}
        </output>
        <p class="soft till-sum">{shop && summary(shop, cents, extra, tax?.rate)}</p>
      </div>
      <TipRow tip={tip} amountCents={cents} currency={currency} onChange={setTip} />
      <Keypad onKey={type} onEnter={() => void charge()} />
      <ErrorNote problem={problem} />
      <Button kind="primary" busy={busy} disabled={!ready} onClick={() => void charge()}>
        {words.till.charge({ amount: moneyText((cents + extra) / 100, currency) })}
      </Button>
    </div>
  );
}

/** What the buyer pays beside the amount, and in all. */
function summary(shop: SellingShopQuery, cents: number, tip: number, rate = 0): string {
  const parts = [
    tip > 0 ? words.till.withTip({ tip: moneyText(tip / 100, shop.pricingConfig.nativeCurrency) }) : '',
    rate > 0 && shop.shopConfig.feeBorneBy === 'buyer' && !shop.shopConfig.pricesIncludeTax
      ? words.till.withTax({ rate: rateText(rate) })
      : '',
    feeText(shop),
    chargedText(
      shop,
      [
        { cents, taxable: true },
        { cents: tip, taxable: false },
      ],
      rate,
    ),
  ];
  return parts.filter(Boolean).join(' · ');
}

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '00', '0'] as const;

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && /^(?:input|select|textarea)$/i.test(target.tagName);

interface KeypadProps {
  readonly onKey: (key: string) => void;
  readonly onEnter: () => void;
}

/** The keys of the till. A keyboard works too: digits, Backspace, Delete and Enter. */
function Keypad({ onKey, onEnter }: KeypadProps) {
  useEffect(() => {
    const onDown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (ctrlKey || metaKey || altKey || isTyping(target)) return;
      const digit = plainDigits(key);
      if (/^\d$/.test(digit)) onKey(digit);
      else if (key === 'Backspace' || key === 'Delete') onKey(key);
      else if (key === 'Enter' && !(target instanceof HTMLButtonElement) && !(target instanceof HTMLAnchorElement))
        onEnter();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onDown);
    return () => document.removeEventListener('keydown', onDown);
  }, [onKey, onEnter]);
  return (
    <fieldset class="keypad" aria-label={words.till.keypad}>
      {KEYS.map((key) => (
        <button key={key} type="button" onClick={() => onKey(key)}>
          {key}
        </button>
      ))}
      <button type="button" aria-label={words.till.erase} onClick={() => onKey('Backspace')}>
        <Icon name="erase" />
      </button>
    </fieldset>
  );
}

/** A tip: none, a share of the amount, or an amount of its own. */
export type Tip =
  | { readonly kind: 'none' }
  | { readonly kind: 'percent'; readonly percent: number }
  | { readonly kind: 'own'; readonly text: string };

const PERCENTS = [10, 15, 20] as const;

/** The tip for an amount, in cents. */
function tipCents(tip: Tip, amountCents: number, currency: string): number {
  if (tip.kind === 'percent') return Math.round((amountCents * tip.percent) / 100);
  return tip.kind === 'own' ? Math.round((amountFrom(tip.text, currency) ?? 0) * 100) : 0;
}

interface TipRowProps {
  readonly tip: Tip;
  readonly amountCents: number;
  readonly currency: string;
  readonly onChange: (tip: Tip) => void;
}

/** The choice of a tip. */
function TipRow({ tip, amountCents, currency, onChange }: TipRowProps) {
  const choice = (name: string, chosen: boolean, next: Tip, label = name) => (
    <button
      type="button"
      class="tip-choice"
      aria-pressed={chosen}
      aria-label={label}
      onClick={() => onChange(chosen ? { kind: 'none' } : next)}
    >
      {name}
    </button>
  );
  return (
    <div class="till-tip">
      <fieldset class="choices" aria-label={words.till.tip}>
        {choice(words.till.noTip, tip.kind === 'none', { kind: 'none' })}
        {PERCENTS.map((percent) =>
          choice(
            `${percent} %`,
            tip.kind === 'percent' && tip.percent === percent,
            { kind: 'percent', percent },
            words.till.tipOf({
              percent,
              amount: moneyText(tipCents({ kind: 'percent', percent }, amountCents, currency) / 100, currency),
            }),
          ),
        )}
        {choice(words.till.ownTip, tip.kind === 'own', { kind: 'own', text: '' })}
      </fieldset>
      {tip.kind === 'own' && (
        <NumberField
          label={words.till.ownTipAmount}
          kind="money"
          currency={currency}
          value={tip.text}
          problem={tip.text && amountFrom(tip.text, currency) === null ? words.catalog.wrongPrice : null}
          onInput={(text) => onChange({ kind: 'own', text })}
        />
      )}
    </div>
  );
}
