import { useState } from 'preact/hooks';
import { Input, LabelledSelect, NumberField } from '../client/field.tsx';
import { numberFrom } from '../client/typed-number.ts';
import type { SellingShopQuery } from '../generated/selling.ts';
import { TaxSelect, useTax } from '../selling/tax.tsx';
import { words } from '../shared/words.ts';

/** The choices of how long a payment can be made, in minutes; 0 is for ever. A link's receipts hold their stock. */
const EXPIRIES = { once: [60, 1_440, 10_080, 43_200, 0], link: [60, 1_440, 10_080] } as const;
const USUAL = { once: 10_080, link: 60 } as const;
/** The choices of how long a link is open, in days; 0 is for ever. */
const OPEN_DAYS = [0, 1, 7, 30, 90] as const;
const DAY_MS = 86_400_000;

const wrong = (text: string): boolean => text.trim() !== '' && (numberFrom(text, 'whole') ?? 0) < 1;

/** What is made: one payment, or a link that makes one of each visit. */
export type Making = 'once' | 'link';

/** The tax and the end of a payment, and the limits of a link. */
export function useTerms({ taxCatalog: { jurisdictions } }: SellingShopQuery, making: Making) {
  const [minutes, setMinutes] = useState<number>(USUAL[making]);
  const [days, setDays] = useState(0);
  const [perDay, setPerDay] = useState('');
  const [perAddress, setPerAddress] = useState('');
  const [returnUrl, setReturnUrl] = useState('');
  const { tax, choose } = useTax(jurisdictions);
  const isWrong = making === 'link' && (wrong(perDay) || wrong(perAddress));
  const terms = { jurisdictionCode: tax?.code ?? null, expiresInMinutes: minutes };
  const limits = () => ({
    perDay: numberFrom(perDay, 'whole'),
    perAddress: numberFrom(perAddress, 'whole'),
    endsAt: days === 0 ? null : Date.now() + days * DAY_MS,
    returnUrl: returnUrl.trim() || null,
  });
  const fields = (
    <>
      <div class="two">
        <LabelledSelect
          label={making === 'once' ? words.newPayment.expires : words.links.each}
          value={String(minutes)}
          onChange={(value) => setMinutes(Number(value))}
        >
          {EXPIRIES[making].map((each) => (
            <option key={each} value={String(each)}>
              {words.newPayment.expiries[each]}
            </option>
          ))}
        </LabelledSelect>
        <TaxSelect jurisdictions={jurisdictions} code={tax?.code ?? ''} onChange={choose} />
      </div>
      {making === 'link' && (
        <>
          <div class="two">
            <NumberField
              label={words.links.perDay}
              kind="whole"
              hint={words.links.perDayHint}
              value={perDay}
              problem={wrong(perDay) ? words.links.wrongNumber : null}
              onInput={setPerDay}
            />
            <NumberField
              label={words.links.perAddress}
              kind="whole"
              hint={words.links.perAddressHint}
              value={perAddress}
              problem={wrong(perAddress) ? words.links.wrongNumber : null}
              onInput={setPerAddress}
            />
          </div>
          <LabelledSelect label={words.links.open} value={String(days)} onChange={(value) => setDays(Number(value))}>
            {OPEN_DAYS.map((each) => (
              <option key={each} value={String(each)}>
                {words.links.openFor({ days: each })}
              </option>
            ))}
          </LabelledSelect>
          <Input label={words.links.returnUrl} hint={words.links.returnHint} value={returnUrl} onInput={setReturnUrl} />
        </>
      )}
    </>
  );
  return { terms, limits, isWrong, taxRate: tax?.rate ?? 0, fields };
}
