import { merchantOf } from '../../../base/core/caller.ts';
import { parseInput } from '../../../base/core/input.ts';
import { builder, throughParent } from '../../../base/graphql/builder.ts';
import { GLOBAL_ID, globalId } from '../../../base/graphql/global-id.ts';
import { CurrencyEnum } from '../../../base/graphql/vocabulary.ts';
import { audits } from '../../../base/records/audit/writes.ts';
import { pricingInput } from './pricing.input.ts';
import { type PricingConfig, writePricing } from './pricing.ts';
import { readPricingConfig } from './read-config.ts';

const DiscountRuleType = builder.objectRef<PricingConfig['discountRules'][number]>('DiscountRule').implement({
  ...throughParent,
  description: 'A discount from a minimum number of minutes.',
  fields: (t) => ({
    minMinutes: t.exposeInt('minMinutes', { description: 'The minimum number of minutes.' }),
    discountPct: t.exposeFloat('discountPct', { description: 'Percent, 0 to 100.' }),
  }),
});

const PricingConfigType = builder.objectRef<PricingConfig>('PricingConfig').implement({
  description: 'The currency of a merchant’s prices, and its prices per minute.',
  authScopes: { $granted: 'pricingConfig', scope: 'shop:read', may: 'shop:read' },
  fields: (t) => ({
    id: t.id({
      description: GLOBAL_ID,
      resolve: (_own, _args, { caller }) => globalId('PricingConfig', merchantOf(caller)),
    }),
    nativeCurrency: t.expose('nativeCurrency', { type: CurrencyEnum, description: 'USD or EUR.' }),
    ethPer2Min: t.exposeFloat('ethPer2Min', { nullable: true, description: 'Ether for two minutes.' }),
    minMinutes: t.exposeInt('minMinutes', {
      nullable: true,
      description: 'The minimum number of minutes that can be bought.',
    }),
    discountRules: t.field({
      type: [DiscountRuleType],
      description: 'The discounts, in ascending order of their minutes.',
      resolve: (pricing) => [...pricing.discountRules],
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'Millis',
      nullable: true,
      description: 'When it was last changed; null if never.',
    }),
  }),
});

builder.queryFields((t) => ({
  pricingConfig: t.field({
    type: PricingConfigType,
    description: "The caller's own pricing configuration.",
    authScopes: { scope: 'shop:read', may: 'shop:read' },
    resolve: (_, _args, ctx) => readPricingConfig(ctx, merchantOf(ctx.caller)),
  }),
}));

const DiscountRuleInput = builder.inputType('DiscountRuleInput', {
  description: 'A discount from a minimum number of minutes.',
  fields: (t) => ({
    minMinutes: t.int({ required: true, description: 'A whole number from 0 to 525600.' }),
    discountPct: t.float({ required: true, description: 'Percent, 0 to 100, at most two decimals.' }),
  }),
});

const PricingConfigInput = builder.inputType('PricingConfigInput', {
  description: 'The fields to change. Omitted fields keep their values; null clears a field.',
  fields: (t) => ({
    wallet: t.string({ description: "Optional; must be the caller's own merchant." }),
    nativeCurrency: t.field({ type: CurrencyEnum, description: 'USD or EUR.' }),
    ethPer2Min: t.float({ description: 'Ether for two minutes.' }),
    minMinutes: t.int({ description: 'A whole number from 0 to 525600.' }),
    discountRules: t.field({ type: [DiscountRuleInput], description: 'Replaces all rules.' }),
  }),
});

builder.mutationFields((t) => ({
  updatePricingConfig: t.field({
    ...audits('others', 'pricing.changed'),
    type: PricingConfigType,
    description: "Updates the caller's own pricing configuration.",
    authScopes: { mayWrite: 'shop:write' },
    grantScopes: ['pricingConfig'],
    args: { input: t.arg({ type: PricingConfigInput, required: true, description: 'What to change.' }) },
    resolve: (_, { input }, ctx) => writePricing(ctx, merchantOf(ctx.caller), parseInput(pricingInput, input)),
  }),
}));
