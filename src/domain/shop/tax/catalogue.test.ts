import { describe, expect, it } from 'vitest';
import { merchantSettings } from '../../sales/pricing/settings.ts';
import { merchantDeps } from '../merchants/test/deps.ts';
import { taxCatalogue } from './catalogue.ts';
import { resolveTax } from './jurisdictions.ts';
import { deleteJurisdiction, saveJurisdiction } from './test/requests.ts';

const deps = merchantDeps();

describe('the tax catalogue of a merchant', () => {
  it('is the public one, with its own entries in place of those of the same code', async () => {
    const [a, b] = [await deps.merchant(), await deps.merchant()];
    const ca = {
      code: 'us-ca',
      displayName: 'Los Angeles',
      components: [
        { code: 'state', rate: 0.0725 },
        { code: 'county', rate: 0.0025 },
        { code: 'district', rate: 0.02 },
      ],
    };
    const saved = await saveJurisdiction(deps, a, ca);
    expect(saved).toMatchObject({ code: 'US-CA', rate: '0.095', updatedAt: deps.now.ms });
    const ofA = await taxCatalogue(deps.db, a);
    expect(ofA.filter(({ code }) => code === 'US-CA')).toEqual([saved]);
    const ofB = await taxCatalogue(deps.db, b);
    expect(ofB.find(({ code }) => code === 'US-CA')!.displayName).toBe('California');
    expect(ofA.length).toBe(ofB.length);

    const { jurisdictions } = await merchantSettings(deps, a);
    const asked = { jurisdictionCode: 'US-CA', taxComponents: ['state', 'district'] };
    expect(resolveTax(asked, jurisdictions)).toMatchObject({ rate: '0.0925' });

    await deleteJurisdiction(deps, a, 'us-ca');
    expect(await taxCatalogue(deps.db, a)).toEqual(ofB);
    expect((await merchantSettings(deps, a)).version).toBe(3);
  });

  it('replaces an own entry whole when it is saved again', async () => {
    const a = await deps.merchant();
    await saveJurisdiction(deps, a, { code: 'XX', displayName: 'Here', components: [{ code: 'vat', rate: 0.2 }] });
    await saveJurisdiction(deps, a, { code: 'XX', rate: 0.21 });
    expect((await taxCatalogue(deps.db, a))[0]).toMatchObject({
      code: 'XX',
      displayName: 'XX',
      rate: '0.21',
      components: [],
    });
  });

  it.each([
    [{ rate: 0.1 }, /^code /],
    [{ code: 'a b', rate: 0.1 }, /^code /],
    [{ code: 'X\0', rate: 0.1 }, /^code /],
    [{ code: 'XX' }, /^rate /],
    [{ code: 'XX', rate: 1.1 }, /^rate /],
    [{ code: 'XX', rate: -0.1 }, /^rate /],
    [{ code: 'XX', rate: '0.1' }, /^rate /],
    [{ code: 'XX', rate: 1e-7 }, /^rate /],
    [{ code: 'XX', rate: JSON.parse('1e400') }, /^rate /],
    [{ code: 'XX', rate: 0.1, components: [{ code: 'a', rate: 0.2 }] }, /^rate .*0\.2/],
    [
      {
        code: 'XX',
        components: [
          { code: 'a', rate: 0.2 },
          { code: 'A', rate: 0.1 },
        ],
      },
      /^components\[1\]\.code /,
    ],
    [
      {
        code: 'XX',
        components: [
          { code: 'a', rate: 0.7 },
          { code: 'b', rate: 0.7 },
        ],
      },
      /^components /,
    ],
  ])('refuses %j', async (body, message) => {
    const a = await deps.merchant();
    await expect(saveJurisdiction(deps, a, body)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(message),
    });
    expect((await merchantSettings(deps, a)).version).toBe(1);
  });

  it('never deletes another merchant’s entry, nor a public one', async () => {
    const [a, b] = [await deps.merchant(), await deps.merchant()];
    await saveJurisdiction(deps, a, { code: 'XX', rate: 0.1 });
    await expect(deleteJurisdiction(deps, b, 'XX')).rejects.toMatchObject({ code: 'not_found' });
    await expect(deleteJurisdiction(deps, a, 'US-CA')).rejects.toMatchObject({ code: 'not_found' });
    await expect(saveJurisdiction(deps, a, { code: 'YY', rate: 0.1, wallet: b })).rejects.toMatchObject({
      code: 'forbidden',
    });
    expect((await taxCatalogue(deps.db, a))[0]!.code).toBe('XX');
  });
});
