import { useState } from 'preact/hooks';
import { LabelledSelect } from '../client/field.tsx';
import type { SellingShopQuery } from '../generated/selling.ts';
import { TaxSelect, useTax } from '../selling/tax.tsx';
import { words } from '../shared/words.ts';

/** The choices of how long a link can be paid, in minutes; 0 is for ever. */
const EXPIRIES = [60, 1_440, 10_080, 43_200, 0] as const;
const USUAL = 10_080;

/** The tax and the end of a payment. */
export function useTerms({ taxCatalog: { jurisdictions } }: SellingShopQuery) {
  const [minutes, setMinutes] = useState<number>(USUAL);
  const { tax, choose } = useTax(jurisdictions);
  const terms = { jurisdictionCode: tax?.code ?? null, expiresInMinutes: minutes };
  const fields = (
    <div class="two">
      <LabelledSelect
        label={words.newPayment.expires}
        value={String(minutes)}
        onChange={(value) => setMinutes(Number(value))}
      >
        {EXPIRIES.map((each) => (
          <option key={each} value={String(each)}>
            {words.newPayment.expiries[each]}
          </option>
        ))}
      </LabelledSelect>
      <TaxSelect jurisdictions={jurisdictions} code={tax?.code ?? ''} onChange={choose} />
    </div>
  );
  return { terms, taxRate: tax?.rate ?? 0, fields };
}
