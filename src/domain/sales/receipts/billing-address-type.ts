import { builder, throughParent } from '../../../base/graphql/builder.ts';
import type { BillingAddress } from './receipt.entity.ts';

/** The descriptions of the fields, for input and output. */
const ABOUT: Readonly<Record<keyof BillingAddress, string>> = {
  firstName: 'First name.',
  lastName: 'Last name.',
  phone: 'Phone number.',
  email: 'E-mail address.',
  line1: 'Street and number.',
  line2: 'Second line of the address.',
  city: 'City.',
  state: 'State or region.',
  zip: 'Zip or postal code.',
  country: 'Country in two letters (ISO 3166), for example `DE`.',
};

export const BillingAddressType = builder.objectRef<BillingAddress>('BillingAddress').implement({
  pages: ['receipt'],
  description: 'The billing details that the buyer or the merchant gave.',
  ...throughParent,
  fields: (t) => ({
    firstName: t.exposeString('firstName', { nullable: true, description: ABOUT.firstName }),
    lastName: t.exposeString('lastName', { nullable: true, description: ABOUT.lastName }),
    phone: t.exposeString('phone', { nullable: true, description: ABOUT.phone }),
    email: t.exposeString('email', { nullable: true, description: ABOUT.email }),
    line1: t.exposeString('line1', { nullable: true, description: ABOUT.line1 }),
    line2: t.exposeString('line2', { nullable: true, description: ABOUT.line2 }),
    city: t.exposeString('city', { nullable: true, description: ABOUT.city }),
    state: t.exposeString('state', { nullable: true, description: ABOUT.state }),
    zip: t.exposeString('zip', { nullable: true, description: ABOUT.zip }),
    country: t.exposeString('country', { nullable: true, description: ABOUT.country }),
  }),
});

export const BillingAddressInput = builder.inputType('BillingAddressInput', {
  description: 'The billing details of the buyer. Omitted fields are not stored.',
  fields: (t) => ({
    firstName: t.string({ description: ABOUT.firstName }),
    lastName: t.string({ description: ABOUT.lastName }),
    phone: t.string({ description: ABOUT.phone }),
    email: t.string({ description: ABOUT.email }),
    line1: t.string({ description: ABOUT.line1 }),
    line2: t.string({ description: ABOUT.line2 }),
    city: t.string({ description: ABOUT.city }),
    state: t.string({ description: ABOUT.state }),
    zip: t.string({ description: ABOUT.zip }),
    country: t.string({ description: ABOUT.country }),
  }),
});
