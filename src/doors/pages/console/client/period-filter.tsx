import { wordFor, words } from '../shared/words.ts';
import { Input, Select } from './field.tsx';
import { PERIOD_NAMES, type PeriodQuery, useShopZone } from './shop-zone.ts';

interface PeriodFilterProps {
  readonly query: PeriodQuery;
  readonly onChange: (query: PeriodQuery) => void;
}

/** A choice of a period, with two days for one of one's own. */
export function PeriodFilter({ query: { period = '', from = '', to = '' }, onChange }: PeriodFilterProps) {
  const zone = useShopZone();
  return (
    <>
      <Select label={words.period.label} value={period} onChange={(value) => onChange({ period: value })}>
        <option value="">{words.period.names.any}</option>
        {[...PERIOD_NAMES, 'days'].map((name) => (
          <option key={name} value={name}>
            {wordFor(words.period.names, name)}
          </option>
        ))}
      </Select>
      {period !== '' && zone && (
        <p class="soft filter-zone">{words.period.zone({ zone: zone.replaceAll('_', ' ') })}</p>
      )}
      {period === 'days' && (
        <div class="filter-days">
          <Input type="date" label={words.period.from} value={from} onInput={(value) => onChange({ from: value })} />
          <Input type="date" label={words.period.to} value={to} onInput={(value) => onChange({ to: value })} />
        </div>
      )}
    </>
  );
}
