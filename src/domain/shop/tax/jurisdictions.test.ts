import Big from 'big.js';
import salesTax from 'sales-tax/package.json' with { type: 'json' };
import { expect, test } from 'vitest';
import type { Jurisdiction } from '../../../base/core/jurisdiction.ts';
import {
  catalogueOf,
  effectiveRate,
  findJurisdiction,
  isOwn,
  publicJurisdictions,
  resolveTax,
} from './jurisdictions.ts';

const losAngeles: Jurisdiction = {
  code: 'US-CA-LA',
  displayName: 'Los Angeles',
  rate: '0.095',
  components: [
    { code: 'state', rate: '0.06' },
    { code: 'county', rate: '0.0025' },
    { code: 'district', rate: '0.0325' },
  ],
  updatedAt: 1,
};
const ownCalifornia: Jurisdiction = { ...losAngeles, code: 'us-ca', displayName: 'My California' };

test('the catalogue has every US state, the capital and all 27 countries of the EU', () => {
  const codes = publicJurisdictions.map((entry) => entry.code);
  expect(codes.filter((code) => code.startsWith('US-'))).toHaveLength(51);
  expect(codes.filter((code) => !code.startsWith('US-'))).toHaveLength(27);
  expect(new Set(codes).size).toBe(codes.length);
});

test('every public rate is decimal text from 0 to 1, and the sum of its components', () => {
  for (const { rate, components } of publicJurisdictions) {
    expect(rate).toMatch(/^0(\.\d{1,6})?$/);
    expect(components.reduce((sum, component) => sum.plus(component.rate), new Big(0)).toFixed()).toBe(rate);
  }
});

test.each([
  ['US-CA', 'California', '0.0725', 'state'],
  ['us-ny', 'New York', '0.04', 'state'],
  ['US-DE', 'Delaware', '0', 'state'],
  ['DE', 'Germany', '0.19', 'vat'],
  ['eu-de', 'Germany', '0.19', 'vat'],
  ['EU-FI', 'Finland', '0.255', 'vat'],
])('%s is %s', (code, displayName, rate, component) => {
  expect(findJurisdiction(code, [])).toMatchObject({ displayName, rate, components: [{ code: component, rate }] });
});

test("a merchant's own entry takes precedence over the public one, in any letter case", () => {
  expect(findJurisdiction('US-CA', [losAngeles, ownCalifornia])).toBe(ownCalifornia);
  expect(findJurisdiction('us-ca-la', [losAngeles])).toBe(losAngeles);
  const catalogue = catalogueOf([losAngeles, ownCalifornia]);
  expect(catalogue.slice(0, 2)).toEqual([losAngeles, ownCalifornia]);
  expect(catalogue.filter(isOwn)).toEqual([losAngeles, ownCalifornia]);
  expect(catalogue.filter((entry) => entry.code.toUpperCase() === 'US-CA')).toEqual([ownCalifornia]);
});

test.each(['XX-YY', '', '__proto__', 'constructor'])('the unknown jurisdiction %j is invalid_input', (code) => {
  expect(() => findJurisdiction(code, [])).toThrow(
    expect.objectContaining({ code: 'invalid_input', extra: { field: 'jurisdictionCode' } }),
  );
});

// Contract: money.rate-components
test('only the selected components are summed, exactly and each once', () => {
  expect(effectiveRate(losAngeles, ['State', 'county', 'county'])).toEqual({
    rate: '0.0625',
    components: ['state', 'county'],
  });
});

test.each([[undefined], [[]]])('without selected components (%j) all of them apply', (named) => {
  expect(effectiveRate(losAngeles, named)).toEqual({ rate: '0.095', components: ['state', 'county', 'district'] });
});

test('an unknown component is refused with invalid_input naming it', () => {
  expect(() => effectiveRate(losAngeles, ['state', 'moon'])).toThrow(
    expect.objectContaining({
      code: 'invalid_input',
      message: 'taxComponents[1] "moon" is not a tax component of US-CA-LA, which has state, county, district',
      extra: { field: 'taxComponents[1]' },
    }),
  );
});

// Contract: money.rate-source
test('a manual rate takes precedence over the jurisdiction, and has components only if they were sent', () => {
  const asked = { taxRate: '0.1', jurisdictionCode: 'US-CA' };
  expect(resolveTax(asked, [])).toEqual({ jurisdictionCode: 'US-CA', rate: '0.1', components: [] });
  expect(resolveTax({ ...asked, taxComponents: ['city'] }, []).components).toEqual(['city']);
});

test('a jurisdiction returns its rate and components in its own spelling', () => {
  expect(resolveTax({ jurisdictionCode: 'us-ca' }, [])).toEqual({
    jurisdictionCode: 'US-CA',
    rate: '0.0725',
    components: ['state'],
  });
});

test('without a rate and a jurisdiction there is no tax, and components are refused', () => {
  expect(resolveTax({}, [])).toEqual({ jurisdictionCode: null, rate: '0', components: [] });
  expect(() => resolveTax({ taxComponents: ['state'] }, [])).toThrow(
    expect.objectContaining({ code: 'invalid_input' }),
  );
});

test('the date of the European rates is the release date of their package', () => {
  // For a new version, copy the date of its changelog to EU_RATES_AS_OF, then update this number.
  expect(salesTax.version).toBe('2.23.0');
});
