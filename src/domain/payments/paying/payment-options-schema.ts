import { chainName } from '../../../base/chain/names.ts';
import { merchantOf } from '../../../base/core/caller.ts';
import { depthFor } from '../../../base/core/finality.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { builder, throughParent } from '../../../base/graphql/builder.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { configuredRates, type ReadRate } from '../../shop/fx/usd-per-token.ts';
import { rankIn, whyNotChosen } from '../../shop/merchants/chosen-tokens.ts';
import { readPaymentTerms } from '../../shop/merchants/payment-terms.ts';
import { ShopConfigType } from '../../shop/merchants/schema.ts';
import { networkFeeUsd } from '../quotes/collection-cost.ts';
import { isPausedAt, listPauses } from '../quotes/pauses.ts';
import { neededFor } from '../watching/confirmations.ts';

/** A token of one of the server's chains, and whether a merchant takes it. */
interface PaymentOption {
  readonly chainId: number;
  readonly network: string;
  readonly token: string;
  readonly chosen: boolean;
  /** The operator offers no new payments in it at the moment. */
  readonly paused: boolean;
  /** US dollars, as decimal text; null while it is unknown. */
  readonly networkFeeUsd: string | null;
  readonly expectedConfirmationMs: number;
}

/** The decimals of a network fee: cheap networks take less than a thousandth of a cent. */
const FEE_DECIMALS = 6;

/** Every token of every chain: those that the merchant has chosen in its order, then the others. */
async function readPaymentOptions(
  deps: Pick<Deps, 'db' | 'chains'> & { readonly readRate: ReadRate },
  merchant: Wallet,
): Promise<PaymentOption[]> {
  const [{ paymentTokens }, pauses] = await Promise.all([readPaymentTerms(deps.db, merchant), listPauses(deps.db)]);
  const lists = await Promise.all(
    deps.chains.map((chain) =>
      Promise.all(
        chain.tokens.map(async (token): Promise<PaymentOption> => {
          const { chainId, finality } = chain;
          const fee = await networkFeeUsd({ ...deps, chain }, token);
          return {
            ...{ chainId, network: chainName(chainId), token: token.symbol },
            paused: isPausedAt(pauses, { chainId, token: token.symbol }),
            chosen: whyNotChosen(paymentTokens, { chainId, token: token.symbol }) === null,
            networkFeeUsd: fee?.round(FEE_DECIMALS).toFixed() ?? null,
            expectedConfirmationMs: neededFor(chain, depthFor(finality, 0)).expectedConfirmationMs,
          };
        }),
      ),
    ),
  );
  const all = lists.flat();
  const chosen = all.filter((option) => option.chosen);
  return [
    ...chosen.sort((a, b) => rankIn(paymentTokens, a) - rankIn(paymentTokens, b)),
    ...all.filter((option) => !option.chosen),
  ];
}

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
