import type { Currency } from '../core/amount.ts';
import { vocabulary } from './vocabulary.ts';

export const CurrencyEnum = vocabulary('Currency', 'A currency that prices can have.', {
  USD: 'US dollar.',
  EUR: 'Euro.',
} satisfies Record<Currency, string>);
