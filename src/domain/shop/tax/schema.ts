import { merchantOf } from '../../../base/core/caller.ts';
import { parseInput } from '../../../base/core/input.ts';
import type { Jurisdiction } from '../../../base/core/jurisdiction.ts';
import { builder, throughParent } from '../../../base/graphql/builder.ts';
import { GLOBAL_ID, globalId } from '../../../base/graphql/global-id.ts';
import { audits } from '../../../base/records/audit/writes.ts';
import { taxCatalogue } from './catalogue.ts';
import { jurisdictionDeletion, jurisdictionInput } from './jurisdiction.input.ts';
import { isOwn } from './jurisdictions.ts';
import { deleteJurisdiction, saveJurisdiction } from './write-jurisdictions.ts';

const TaxComponentType = builder.objectRef<Jurisdiction['components'][number]>('TaxComponent').implement({
  ...throughParent,
  description: 'A part of a tax that can be applied separately.',
  fields: (t) => ({
    code: t.exposeString('code', { description: 'Its name in `taxComponents`.' }),
    rate: t.float({ description: '0 to 1.', resolve: (component) => Number(component.rate) }),
  }),
});

const TaxJurisdictionType = builder.objectRef<Jurisdiction>('TaxJurisdiction').implement({
  description: 'A place that levies a tax.',
  authScopes: { $granted: 'taxJurisdiction', scope: 'shop:read', may: 'shop:read' },
  fields: (t) => ({
    id: t.id({
      description: GLOBAL_ID,
      resolve: ({ code }, _args, { caller }) => globalId('TaxJurisdiction', merchantOf(caller), code),
    }),
    code: t.exposeString('code', { description: 'Its name in `jurisdictionCode`.' }),
    displayName: t.exposeString('displayName', { description: 'Its name for people.' }),
    rate: t.float({ description: 'The sum of the components, 0 to 1.', resolve: ({ rate }) => Number(rate) }),
    components: t.field({
      type: [TaxComponentType],
      description: 'The parts of the rate.',
      resolve: ({ components }) => [...components],
    }),
    own: t.boolean({ description: 'Whether it is the merchant’s own, and not a public one.', resolve: isOwn }),
    updatedAt: t.expose('updatedAt', { type: 'Millis', description: 'When the rate was last set.' }),
  }),
});

const TaxCatalogType = builder.objectRef<{ readonly jurisdictions: readonly Jurisdiction[] }>('TaxCatalog').implement({
  ...throughParent,
  description: 'The jurisdictions that an order can use.',
  fields: (t) => ({
    id: t.id({
      description: GLOBAL_ID,
      resolve: (_own, _args, { caller }) => globalId('TaxCatalog', merchantOf(caller)),
    }),
    jurisdictions: t.field({
      type: [TaxJurisdictionType],
      description: "The merchant's own jurisdictions and the public ones.",
      resolve: ({ jurisdictions }) => [...jurisdictions],
    }),
  }),
});

builder.queryField('taxCatalog', (t) =>
  t.field({
    type: TaxCatalogType,
    description: "The jurisdictions that the caller's orders can use.",
    authScopes: { scope: 'shop:read', may: 'shop:read' },
    resolve: async (_, _args, ctx) => ({ jurisdictions: await taxCatalogue(ctx.db, merchantOf(ctx.caller)) }),
  }),
);

const TaxComponentInput = builder.inputType('TaxComponentInput', {
  description: 'A part of a tax that can be applied separately.',
  fields: (t) => ({
    code: t.string({ required: true, description: 'Unique within the jurisdiction.' }),
    rate: t.float({ required: true, description: '0 to 1, at most six decimals.' }),
  }),
});

const TaxJurisdictionInput = builder.inputType('TaxJurisdictionInput', {
  description: "A merchant's own jurisdiction. It replaces the public one with the same code.",
  fields: (t) => ({
    wallet: t.string({ description: "Optional; must be the caller's own merchant wallet." }),
    code: t.string({ required: true, description: 'Letters, digits and hyphens, such as `US-CA`.' }),
    displayName: t.string({ description: 'Default: the code.' }),
    rate: t.float({ description: '0 to 1. Default: the sum of the components.' }),
    components: t.field({ type: [TaxComponentInput], description: 'Default: none.' }),
  }),
});

builder.mutationFields((t) => ({
  saveJurisdiction: t.field({
    ...audits('others', 'tax.saved'),
    type: TaxJurisdictionType,
    description: "Creates or replaces one of the caller's own jurisdictions.",
    authScopes: { mayWrite: 'shop:write' },
    grantScopes: ['taxJurisdiction'],
    args: { input: t.arg({ type: TaxJurisdictionInput, required: true, description: 'The jurisdiction.' }) },
    resolve: (_, { input }, ctx) => saveJurisdiction(ctx, merchantOf(ctx.caller), parseInput(jurisdictionInput, input)),
  }),
  deleteJurisdiction: t.boolean({
    ...audits('others', 'tax.deleted'),
    description: "Deletes one of the caller's own jurisdictions. Returns true, or an error.",
    authScopes: { mayWrite: 'shop:write' },
    args: { code: t.arg.string({ required: true, description: 'The code of the jurisdiction.' }) },
    resolve: async (_, { code }, ctx) => {
      await deleteJurisdiction(ctx, merchantOf(ctx.caller), parseInput(jurisdictionDeletion, { code }).code);
      return true;
    },
  }),
}));
