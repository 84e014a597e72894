import { useState } from 'preact/hooks';
import { LabelledSelect } from '../client/field.tsx';
import type { SellingShopQuery } from '../generated/selling.ts';
import { locale, words } from '../shared/words.ts';

type Jurisdiction = SellingShopQuery['taxCatalog']['jurisdictions'][number];

const CHOSEN = 'console.tax';

/** The tax that this device sells with: the code of a jurisdiction, or empty. */
export function useTax(jurisdictions: readonly Jurisdiction[] | undefined) {
  const [code, setCode] = useState(() => localStorage.getItem(CHOSEN) ?? '');
  const tax = jurisdictions?.find((each) => each.code === code);
  const choose = (next: string) => {
    localStorage.setItem(CHOSEN, next);
    setCode(next);
  };
  return { tax, choose };
}

const PERCENT = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 3 });

/** A rate from 0 to 1 as a percentage, in the locale of the console. */
export const rateText = (rate: number): string => PERCENT.format(rate);

const [ENGLISH, OWN] = ['en', locale].map((language) => new Intl.DisplayNames(language, { type: 'region' }));

/** The name of a jurisdiction: of a country in the language of the console, unless the shop has named it itself. */
export const jurisdictionName = ({ code, displayName }: Pick<Jurisdiction, 'code' | 'displayName'>): string =>
  /^[A-Z]{2}$/.test(code) && ENGLISH?.of(code) === displayName ? (OWN?.of(code) ?? displayName) : displayName;

interface TaxSelectProps {
  readonly jurisdictions: readonly Jurisdiction[];
  readonly code: string;
  readonly onChange: (code: string) => void;
}

/** The choice of the tax. */
export function TaxSelect({ jurisdictions, code, onChange }: TaxSelectProps) {
  return (
    <LabelledSelect label={words.selling.tax} value={code} onChange={onChange}>
      <option value="">{words.selling.noTax}</option>
      {jurisdictions.map((each) => (
        <option key={each.code} value={each.code}>
          {jurisdictionName(each)} · {rateText(each.rate)}
        </option>
      ))}
    </LabelledSelect>
  );
}
