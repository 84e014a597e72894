import { builder, throughParent } from '../graphql/builder.ts';
import type { BillingAddress } from './receipt.entity.ts';

export const BillingAddressType = builder.objectRef<BillingAddress>('BillingAddress').implement({
  pages: ['receipt'],
  description: 'The billing details that the buyer or the merchant gave.',
  ...throughParent,
  fields: (t) => ({
    firstName: t.exposeString('firstName', { nullable: true }),
    lastName: t.exposeString('lastName', { nullable: true }),
    phone: t.exposeString('phone', { nullable: true }),
    email: t.exposeString('email', { nullable: true }),
    line1: t.exposeString('line1', { nullable: true }),
    line2: t.exposeString('line2', { nullable: true }),
    city: t.exposeString('city', { nullable: true }),
    state: t.exposeString('state', { nullable: true }),
    zip: t.exposeString('zip', { nullable: true }),
    country: t.exposeString('country', { nullable: true }),
  }),
});

export const BillingAddressInput = builder.inputType('BillingAddressInput', {
  fields: (t) => ({
    firstName: t.string(),
    lastName: t.string(),
    phone: t.string(),
    email: t.string(),
    line1: t.string(),
    line2: t.string(),
    city: t.string(),
    state: t.string(),
    zip: t.string(),
    country: t.string({ description: 'Two letters (ISO 3166).' }),
  }),
});
