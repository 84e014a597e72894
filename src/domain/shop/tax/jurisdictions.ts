import Big from 'big.js';
import regions from 'sales-tax/res/region_countries.json' with { type: 'json' };
import rates from 'sales-tax/res/sales_tax_rates.json' with { type: 'json' };
import { refuse } from '../../../base/core/errors.ts';
import type { Jurisdiction } from '../../../base/core/jurisdiction.ts';
import { US_RATES_AS_OF, US_STATES } from './us-states.ts';

/** The release date of the package with the European rates. A test compares it with the installed version. */
const EU_RATES_AS_OF = Date.UTC(2026, 4, 19);

const countryNames = new Intl.DisplayNames(['en'], { type: 'region' });

/**
 * The public catalogue: every US state (`US-CA`, one component `state`) and every country of the EU (`DE`, one
 * component `vat`, standard rate).
 */
export const publicJurisdictions: readonly Jurisdiction[] = [
  ...US_STATES.map(([state, displayName, rate]) => simple(`US-${state}`, displayName, 'state', rate, US_RATES_AS_OF)),
  ...regions.EU.toSorted().map((country) => {
    const { rate } = rates[country as keyof typeof rates];
    return simple(country, countryNames.of(country) ?? country, 'vat', new Big(rate).toFixed(), EU_RATES_AS_OF);
  }),
];

function simple(code: string, displayName: string, component: string, rate: string, updatedAt: number): Jurisdiction {
  return { code, displayName, rate, components: [{ code: component, rate }], updatedAt };
}

const PUBLIC: ReadonlySet<Jurisdiction> = new Set(publicJurisdictions);

/** Whether an entry of a catalogue is the merchant's own, and not a public one. */
export const isOwn = (jurisdiction: Jurisdiction): boolean => !PUBLIC.has(jurisdiction);

/** The columns of a merchant's own jurisdiction. */
export const JURISDICTION_COLUMNS = ['code', 'displayName', 'rate', 'components', 'updatedAt'] as const;

/** By code. European countries are also found as `EU-DE`. */
const byCode = new Map(publicJurisdictions.map((entry) => [entry.code, entry]));
for (const entry of publicJurisdictions) if (!entry.code.includes('-')) byCode.set(`EU-${entry.code}`, entry);

/**
 * The jurisdiction with the code in any letter case; the merchant's own takes precedence over the public one. Throws
 * `invalid_input` for an unknown code.
 */
export function findJurisdiction(code: string, own: readonly Jurisdiction[]): Jurisdiction {
  const wanted = code.toUpperCase();
  const found = own.find((entry) => entry.code.toUpperCase() === wanted) ?? byCode.get(wanted);
  if (found) return found;
  const field = 'jurisdictionCode';
  throw refuse('invalid_input', `${field} ${JSON.stringify(code)} is not a known tax jurisdiction`, { field });
}

/** The complete catalogue of a merchant: its own entries first, which replace public ones with the same code. */
export function catalogueOf(own: readonly Jurisdiction[]): Jurisdiction[] {
  const taken = new Set(own.map((entry) => entry.code.toUpperCase()));
  return [...own, ...publicJurisdictions.filter((entry) => !taken.has(entry.code))];
}

/** The tax that applies to an order. */
export interface AppliedTax {
  /** As the catalogue spells it; null without a jurisdiction. */
  readonly jurisdictionCode: string | null;
  /** Exact decimal text, 0 to 1. */
  readonly rate: string;
  readonly components: readonly string[];
}

/**
 * The rate of a jurisdiction, or of the selected components (in any letter case; an empty list selects all). Throws
 * `invalid_input`, naming the component, if the jurisdiction does not have it.
 */
export function effectiveRate(
  jurisdiction: Jurisdiction,
  selected: readonly string[] = [],
): Omit<AppliedTax, 'jurisdictionCode'> {
  if (selected.length === 0) {
    return { rate: jurisdiction.rate, components: jurisdiction.components.map((component) => component.code) };
  }
  const wanted = new Map(selected.map((name, i) => [name.toUpperCase(), i]));
  const applied = jurisdiction.components.filter((component) => wanted.delete(component.code.toUpperCase()));
  for (const i of wanted.values()) {
    const field = `taxComponents[${i}]`;
    const known = jurisdiction.components.map((component) => component.code).join(', ');
    throw refuse(
      'invalid_input',
      `${field} ${JSON.stringify(selected[i])} is not a tax component of ${jurisdiction.code}, which has ${known || 'none'}`,
      { field },
    );
  }
  const rate = applied.reduce((sum, component) => sum.plus(component.rate), new Big(0));
  return { rate: rate.toFixed(), components: applied.map((component) => component.code) };
}

/**
 * The tax of an order, by precedence: its manual rate (components are then only repeated, and the jurisdiction may be
 * any text), else the jurisdiction's rate, else none. Throws as `findJurisdiction` and `effectiveRate`, and for
 * components without a jurisdiction.
 */
export function resolveTax(
  input: { readonly taxRate?: string; readonly jurisdictionCode?: string; readonly taxComponents?: readonly string[] },
  own: readonly Jurisdiction[],
): AppliedTax {
  const { taxRate, jurisdictionCode, taxComponents = [] } = input;
  if (taxRate !== undefined)
    return { jurisdictionCode: jurisdictionCode ?? null, rate: taxRate, components: taxComponents };
  if (jurisdictionCode !== undefined) {
    const jurisdiction = findJurisdiction(jurisdictionCode, own);
    return { jurisdictionCode: jurisdiction.code, ...effectiveRate(jurisdiction, taxComponents) };
  }
  if (taxComponents.length === 0) return { jurisdictionCode: null, rate: '0', components: [] };
  const field = 'taxComponents';
  throw refuse('invalid_input', `${field} needs a jurisdictionCode that has them`, { field });
}
