import { builder, throughParent } from '../../../base/graphql/builder.ts';
import { RECEIPT_PAGES } from '../../../base/graphql/page-option.ts';
import { vocabulary } from '../../../base/graphql/vocabulary.ts';
import { type FailureCategory, type FailureCode, failureCatalogue, type PaymentFailure } from './failures.ts';

export const FailureCodeEnum = vocabulary(
  'FailureCode',
  'Why a payment failed.',
  Object.fromEntries(Object.entries(failureCatalogue).map(([code, [, reason]]) => [code, reason])) as Record<
    FailureCode,
    string
  >,
);

const FailureCategoryEnum = vocabulary('FailureCategory', 'A group of failure codes.', {
  card_decline: 'The card was declined.',
  compliance: 'A check of the buyer’s identity or region failed.',
  limits: 'The amount is outside of a limit.',
  blockchain: 'The wallet or the transaction failed.',
  session: 'The buyer left, cancelled or waited too long.',
  system: 'The payment network failed.',
} satisfies Record<FailureCategory, string>);

export const FailureType = builder.objectRef<PaymentFailure>('PaymentFailure').implement({
  description: 'Why a payment failed.',
  pages: RECEIPT_PAGES,
  ...throughParent,
  fields: (t) => ({
    code: t.expose('failureCode', {
      type: FailureCodeEnum,
      description: 'The failure code, as in `PORTAL_CHAIN_TX_REVERTED`.',
    }),
    category: t.expose('failureCategory', {
      type: FailureCategoryEnum,
      description: 'The group of the code, as in `blockchain`.',
    }),
    reason: t.string({ description: 'The reason, for people.', resolve: (failure) => failure.failureReason }),
    action: t.string({ description: 'What the merchant can do.', resolve: (failure) => failure.failureAction }),
  }),
});
