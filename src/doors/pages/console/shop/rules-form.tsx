import { useState } from 'preact/hooks';
import { useWrite } from '../client/ask.ts';
import { Check, LabelledSelect, NumberField, TextArea } from '../client/field.tsx';
import { type NumberKind, numberFrom, numberText } from '../client/typed-number.ts';
import {
  type Currency,
  type FeeBearer,
  type ShopFieldsFragment,
  type ShopSettingsQuery,
  UpdatePricing,
  UpdateShop,
} from '../generated/shop.ts';
import { words } from '../shared/words.ts';
import { SettingsForm } from './settings-form.tsx';

interface RulesFormProps {
  readonly shop: ShopFieldsFragment;
  readonly pricing: ShopSettingsQuery['pricingConfig'];
}

const SWITCHES = ['pricesIncludeTax', 'holdStock', 'newRequests', 'allowRenewal', 'postPaymentScripts'] as const;

/** The limits of the numbers, as the API has them. */
const MOST = { processingFeePct: 20, tolerancePct: 10, toleranceUsd: 1_000, lateHours: 720 } as const;
type Field = keyof typeof MOST;
const KINDS = {
  processingFeePct: 'percent',
  tolerancePct: 'percent',
  toleranceUsd: 'money',
  lateHours: 'whole',
} as const satisfies Record<Field, NumberKind>;
const FIELDS = Object.keys(MOST) as Field[];

/** A number as it is typed; null if it is none, or too large. */
function numberOf(field: Field, text: string): number | null {
  const value = numberFrom(text, KINDS[field], 'USD');
  if (value === null || value > MOST[field]) return null;
  return Number(value.toFixed(2)) === value ? value : null;
}

/** Currency, fee, and what the shop accepts besides payments in full and in time. */
export function RulesForm({ shop, pricing }: RulesFormProps) {
  const [texts, setTexts] = useState(
    () =>
      Object.fromEntries(FIELDS.map((field) => [field, numberText(shop[field], KINDS[field])])) as Record<
        Field,
        string
      >,
  );
  const [switches, setSwitches] = useState(
    () => Object.fromEntries(SWITCHES.map((name) => [name, shop[name]])) as Record<(typeof SWITCHES)[number], boolean>,
  );
  const [currency, setCurrency] = useState<Currency>(pricing.nativeCurrency);
  const [feeBorneBy, setFeeBorneBy] = useState<FeeBearer>(shop.feeBorneBy);
  const [origins, setOrigins] = useState(shop.embedOrigins.join('\n'));
  const saving = useWrite(UpdateShop);
  const pricingWrite = useWrite(UpdatePricing);
  const save = async () => {
    const numbers = FIELDS.map((field) => [field, numberOf(field, texts[field])] as const);
    if (numbers.some(([, value]) => value === null)) return false;
    const embedOrigins = origins.split(/\s+/).filter(Boolean);
    const input = { ...Object.fromEntries(numbers), ...switches, feeBorneBy, embedOrigins };
    const stored = await saving.send({ input });
    if (!stored) return false;
    if (currency === pricing.nativeCurrency) return true;
    return (await pricingWrite.send({ input: { nativeCurrency: currency } })) !== null;
  };
  return (
    <SettingsForm
      values={[texts, switches, currency, feeBorneBy, origins]}
      busy={saving.busy || pricingWrite.busy}
      problem={saving.problem ?? pricingWrite.problem}
      action={words.shop.saveRules}
      save={save}
    >
      <LabelledSelect
        label={words.shop.currency}
        hint={words.shop.currencyHint}
        value={currency}
        onChange={(value) => setCurrency(value as Currency)}
      >
        <option value="USD">USD</option>
        <option value="EUR">EUR</option>
      </LabelledSelect>
      <LabelledSelect
        label={words.shop.feeBorneBy}
        value={feeBorneBy}
        onChange={(value) => setFeeBorneBy(value as FeeBearer)}
      >
        <option value="buyer">{words.shop.feeBearers.buyer}</option>
        <option value="shop">{words.shop.feeBearers.shop}</option>
      </LabelledSelect>
      {FIELDS.map((field) => (
        <NumberField
          key={field}
          label={words.shop.numbers[field]}
          hint={words.shop.numberHints[field]}
          kind={KINDS[field]}
          currency="USD"
          value={texts[field]}
          problem={numberOf(field, texts[field]) === null ? words.shop.upTo({ most: MOST[field] }) : null}
          onInput={(text) => setTexts((old) => ({ ...old, [field]: text }))}
        />
      ))}
      <div>
        {SWITCHES.map((name) => (
          <Check
            key={name}
            checked={switches[name]}
            onChange={(checked) => setSwitches((old) => ({ ...old, [name]: checked }))}
          >
            {words.shop.switches[name]}
          </Check>
        ))}
      </div>
      <TextArea
        label={words.shop.embedOrigins}
        hint={words.shop.embedOriginsHint}
        value={origins}
        onInput={setOrigins}
      />
    </SettingsForm>
  );
}
