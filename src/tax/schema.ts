import { merchantOf } from '../core/caller.ts';
import type { Jurisdiction } from '../core/jurisdiction.ts';
import { builder, throughParent } from '../graphql/builder.ts';
import { countsAs } from '../graphql/rate.ts';
import { taxCatalogue } from './catalogue.ts';
import { deleteJurisdiction } from './delete-jurisdiction.ts';
import { saveJurisdiction } from './save-jurisdiction.ts';

const TaxComponentType = builder.objectRef<Jurisdiction['components'][number]>('TaxComponent').implement({
  ...throughParent,
  description: 'A part of a tax that can be applied by itself.',
  fields: (t) => ({
    code: t.exposeString('code', { description: 'Its name in `taxComponents`.' }),
    rate: t.float({ description: '0 to 1.', resolve: (component) => Number(component.rate) }),
  }),
});

const TaxJurisdictionType = builder.objectRef<Jurisdiction>('TaxJurisdiction').implement({
  description: 'A place that levies a tax.',
  authScopes: { $granted: 'taxJurisdiction', scope: 'shop:read', admin: true },
  fields: (t) => ({
    code: t.exposeString('code', { description: 'Its name in `jurisdictionCode`.' }),
    displayName: t.exposeString('displayName', { description: 'Its name for people.' }),
    rate: t.float({ description: 'All its components together, 0 to 1.', resolve: ({ rate }) => Number(rate) }),
    components: t.field({
      type: [TaxComponentType],
      description: 'What the rate is made of.',
      resolve: ({ components }) => [...components],
    }),
    updatedAt: t.expose('updatedAt', { type: 'Millis', description: 'When the rate was last set.' }),
  }),
});

const TaxCatalogType = builder.objectRef<{ readonly jurisdictions: readonly Jurisdiction[] }>('TaxCatalog').implement({
  ...throughParent,
  description: 'All jurisdictions that an order can name.',
  fields: (t) => ({
    jurisdictions: t.field({
      type: [TaxJurisdictionType],
      description: "The merchant's own, and the public ones.",
      resolve: ({ jurisdictions }) => [...jurisdictions],
    }),
  }),
});

builder.queryField('taxCatalog', (t) =>
  t.field({
    type: TaxCatalogType,
    description: 'All jurisdictions that an order of the caller can name.',
    authScopes: { scope: 'shop:read', admin: true },
    resolve: async (_, _args, ctx) => ({ jurisdictions: await taxCatalogue(ctx, merchantOf(ctx.caller)) }),
  }),
);

const TaxComponentInput = builder.inputType('TaxComponentInput', {
  description: 'A part of a tax that can be applied by itself.',
  fields: (t) => ({
    code: t.string({ required: true, description: 'Unique within the jurisdiction.' }),
    rate: t.float({ required: true, description: '0 to 1, at most six decimals.' }),
  }),
});

const TaxJurisdictionInput = builder.inputType('TaxJurisdictionInput', {
  description: "A jurisdiction of the merchant's own; it stands in place of the public one with the same code.",
  fields: (t) => ({
    wallet: t.string({ description: "The caller's own merchant, where it is given at all." }),
    code: t.string({ required: true, description: 'Letters, digits and hyphens, such as `US-CA`.' }),
    displayName: t.string({ description: 'Left out: the code.' }),
    rate: t.float({ description: '0 to 1; left out: what the components add up to.' }),
    components: t.field({ type: [TaxComponentInput], description: 'Left out: none.' }),
  }),
});

builder.mutationFields((t) => ({
  saveJurisdiction: t.field({
    ...countsAs('others'),
    type: TaxJurisdictionType,
    description: "Sets a jurisdiction of the caller's own, whole.",
    authScopes: { adminWrite: true },
    grantScopes: ['taxJurisdiction'],
    args: { input: t.arg({ type: TaxJurisdictionInput, required: true, description: 'The jurisdiction.' }) },
    resolve: (_, { input }, ctx) => saveJurisdiction(ctx, merchantOf(ctx.caller), input),
  }),
  deleteJurisdiction: t.boolean({
    ...countsAs('others'),
    description: "Takes back a jurisdiction of the caller's own. True, or an error.",
    authScopes: { adminWrite: true },
    args: { code: t.arg.string({ required: true, description: 'Which one.' }) },
    resolve: async (_, { code }, ctx) => {
      await deleteJurisdiction(ctx, merchantOf(ctx.caller), code);
      return true;
    },
  }),
}));
