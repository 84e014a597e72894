import { merchantOf } from '../../../base/core/caller.ts';
import { builder, throughParent } from '../../../base/graphql/builder.ts';
import { configuredRates } from '../../shop/fx/usd-per-token.ts';
import { ShopConfigType } from '../../shop/merchants/schema.ts';
import { type PaymentOption, readPaymentOptions } from './payment-options.ts';

const PaymentOptionType = builder.objectRef<PaymentOption>('PaymentOption').implement({
  ...throughParent,
  description: 'A token of one of the server’s chains.',
  fields: (t) => ({
    chainId: t.expose('chainId', { type: 'SafeInt', description: 'The chain (EIP-155).' }),
    network: t.exposeString('network', { description: 'The name of the chain for people.' }),
    token: t.exposeString('token', { description: 'The symbol, for example `USDC`.' }),
    chosen: t.exposeBoolean('chosen', { description: 'Whether buyers may pay in it.' }),
    paused: t.exposeBoolean('paused', {
      description: 'Whether the operator offers no new payments in it at the moment.',
    }),
    networkFeeUsd: t.exposeString('networkFeeUsd', {
      nullable: true,
      description:
        'What a buyer pays to the network for a transfer now, about, in US dollars as decimal text. Null while it is unknown.',
    }),
    expectedConfirmationMs: t.exposeInt('expectedConfirmationMs', {
      description: 'How long the confirmation of a small payment usually takes, in milliseconds.',
    }),
  }),
});

builder.objectFields(ShopConfigType, (t) => ({
  paymentOptions: t.field({
    type: [PaymentOptionType],
    description:
      'Every token that the server accepts: those that buyers may pay in, in their order, then the others. `paymentTokens` chooses among them.',
    resolve: (_shop, _args, ctx) =>
      readPaymentOptions({ ...ctx, readRate: configuredRates(ctx) }, merchantOf(ctx.caller)),
  }),
}));
