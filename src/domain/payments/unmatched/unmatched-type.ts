import { addressUrl, transactionUrl } from '../../../base/chain/explorers.ts';
import { realHash, realSender } from '../../../base/core/coin-place.ts';
import { usdFromCents } from '../../../base/core/money.ts';
import { builder, throughParent } from '../../../base/graphql/builder.ts';
import { GLOBAL_ID, globalId } from '../../../base/graphql/global-id.ts';
import { vocabulary } from '../../../base/graphql/vocabulary.ts';
import { ReceiptStatusEnum } from '../../sales/receipts/status-types.ts';
import type { UnmatchedReason } from '../transfers/core/transfer.entity.ts';
import { RECORDED_HASH } from '../transfers/transfers.ts';
import type { Candidate, UnmatchedTransfer } from './unmatched.ts';

const CandidateType = builder.objectRef<Candidate>('UnmatchedCandidate').implement({
  description: 'A receipt that an unmatched transfer may belong to.',
  ...throughParent,
  fields: (t) => ({
    receiptId: t.exposeID('receiptId', { description: 'The id of the receipt.' }),
    status: t.expose('status', { type: ReceiptStatusEnum, description: 'The status of the receipt.' }),
    totalUsd: t.field({
      type: 'Usd',
      description: 'The total of the receipt.',
      resolve: (receipt) => usdFromCents(receipt.totalCents),
    }),
  }),
});

export const UnmatchedState = builder.enumType('UnmatchedState', {
  description: 'The state of an unmatched transfer.',
  values: {
    open: { description: 'It may still be assigned.' },
    marked_for_refund: { description: 'It will be sent back.' },
  },
});

const UnmatchedReasonEnum = vocabulary('UnmatchedReason', 'Why a transfer pays no receipt.', {
  unknown_amount: 'It went straight to the split, and its sender has signed for no receipt.',
  duplicate: 'The receipt was paid already.',
  too_old: 'The transfer is older than the receipt.',
  late: 'The receipt has ended.',
  no_rate: 'There was no exchange rate for the token.',
  other_network: 'The merchant did not choose this network.',
  other_token: 'The merchant did not choose this token.',
  error: 'Matching failed.',
} satisfies Record<UnmatchedReason, string>);

export const UnmatchedTransferType = builder.objectRef<UnmatchedTransfer>('UnmatchedTransfer').implement({
  description: 'A transfer to an address of a receipt or to a split of the merchant that pays no receipt.',
  authScopes: { may: 'receipts:read' },
  fields: (t) => ({
    id: t.id({
      description: GLOBAL_ID,
      resolve: ({ chainId, transactionHash, logIndex }) =>
        globalId('UnmatchedTransfer', chainId, transactionHash, logIndex),
    }),
    chainId: t.expose('chainId', { type: 'SafeInt', description: 'The chain of the transfer (EIP-155).' }),
    transactionHash: t.field({
      type: 'Hex',
      nullable: true,
      description: 'The transaction of the transfer; null for coins that came from within a contract’s transaction.',
      resolve: ({ transactionHash }) => realHash(transactionHash),
    }),
    recordedHash: t.expose('transactionHash', { type: 'Hex', description: RECORDED_HASH }),
    transactionUrl: t.string({
      nullable: true,
      description: 'The transaction in the block explorer of its chain; null if no explorer is known.',
      resolve: ({ chainId, transactionHash }) => transactionUrl(chainId, transactionHash),
    }),
    logIndex: t.exposeInt('logIndex', {
      description: 'The log index of the transfer; it may change in a reorganisation.',
    }),
    blockNumber: t.expose('blockNumber', { type: 'SafeInt', description: 'The number of the block.' }),
    at: t.field({ type: 'Millis', description: 'The time of the block.', resolve: (transfer) => transfer.blockTimeMs }),
    token: t.exposeString('token', { description: 'The symbol, for example `USDC`.' }),
    amount: t.field({ type: 'BaseUnits', description: 'In base units.', resolve: (transfer) => transfer.amount }),
    display: t.exposeString('display', {
      nullable: true,
      description: 'The amount in whole tokens; null if the server does not accept this token on this chain any more.',
    }),
    sender: t.field({
      type: 'Wallet',
      nullable: true,
      description: 'The wallet that sent it; null for coins that came from within a contract’s transaction.',
      resolve: ({ sender }) => realSender(sender),
    }),
    senderUrl: t.string({
      nullable: true,
      description: 'The sender in the block explorer of its chain; null if either is not known.',
      resolve: ({ chainId, sender }) => realSender(sender) && addressUrl(chainId, sender),
    }),
    payTo: t.field({
      type: 'Wallet',
      description: 'What received the transfer: the address of a receipt, or a split.',
      resolve: (transfer) => transfer.payTo,
    }),
    reason: t.expose('reason', { type: UnmatchedReasonEnum, description: 'Why it pays no receipt.' }),
    state: t.field({
      type: UnmatchedState,
      description: '`open`: may still be assigned. `marked_for_refund`: will be sent back.',
      resolve: ({ refundMarkedAt }) => (refundMarkedAt === null ? 'open' : 'marked_for_refund'),
    }),
    refundMarkedAt: t.field({
      type: 'Millis',
      nullable: true,
      description: 'When it was marked for refund.',
      resolve: (transfer) => transfer.refundMarkedAt,
    }),
    refundMarkedBy: t.field({
      type: 'Wallet',
      nullable: true,
      description: 'The wallet of the admin who marked it.',
      resolve: (transfer) => transfer.refundMarkedBy,
    }),
    candidates: t.field({
      type: [CandidateType],
      description: 'The receipts that the transfer may belong to, most likely first.',
      resolve: (transfer) => [...transfer.candidates],
    }),
  }),
});
