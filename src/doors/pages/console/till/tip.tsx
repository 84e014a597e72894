import { amountFrom } from '../catalog/item.ts';
import { moneyText } from '../client/money-text.ts';
import { NumberField } from '../client/number-field.tsx';
import { words } from '../shared/words.ts';

/** A tip: none, a share of the amount, or an amount of its own. */
export type Tip =
  | { readonly kind: 'none' }
  | { readonly kind: 'percent'; readonly percent: number }
  | { readonly kind: 'own'; readonly text: string };

const PERCENTS = [10, 15, 20] as const;

/** The tip for an amount, in cents. */
export function tipCents(tip: Tip, amountCents: number, currency: string): number {
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
export function TipRow({ tip, amountCents, currency, onChange }: TipRowProps) {
  const choice = (name: string, chosen: boolean, next: Tip, label = name) => (
    <button
      type="button"
      class="choice"
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
