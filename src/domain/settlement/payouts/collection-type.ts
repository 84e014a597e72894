import type { TransactionCall } from '../../../base/chain/create2.ts';
import { toDecimal } from '../../../base/chain/tokens.ts';
import { builder, throughParent } from '../../../base/graphql/builder.ts';
import {
  beneficiaryOf,
  type PreparedCollection,
  parseSelection,
  prepareCollections,
  readAddressRecords,
} from './collections.ts';

const CallType = builder.objectRef<TransactionCall>('WalletCall').implement({
  ...throughParent,
  description: 'A transaction that any wallet may send.',
  fields: (t) => ({
    to: t.expose('to', { type: 'Wallet', description: 'The contract to call.' }),
    data: t.expose('data', { type: 'Hex', description: 'The data of the call.' }),
    value: t.field({
      type: 'BaseUnits',
      description: 'The native coins to send, in wei.',
      resolve: ({ value = 0n }) => String(value),
    }),
  }),
});

const CollectionType = builder.objectRef<PreparedCollection>('Collection').implement({
  ...throughParent,
  description: 'Money at the addresses of receipts, and the transaction that pays it to the recipients of its split.',
  fields: (t) => ({
    chainId: t.expose('chainId', { type: 'SafeInt', description: 'The chain of the transactions (EIP-155).' }),
    split: t.expose('split', { type: 'Wallet', description: 'The split contract that pays the recipients.' }),
    token: t.exposeString('symbol', {
      nullable: true,
      description: 'The symbol, for example `USDC`; null for a token that the server does not list.',
    }),
    tokenAddress: t.expose('tokenAddress', {
      type: 'Wallet',
      nullable: true,
      description: 'The contract of the token; null for the native coin.',
    }),
    amount: t.field({
      type: 'BaseUnits',
      description: 'What the transaction collects for all recipients, in base units.',
      resolve: ({ amount }) => amount,
    }),
    display: t.string({
      nullable: true,
      description: 'The same in whole tokens; null if the decimals are not known.',
      resolve: ({ amount, decimals }) => (decimals === null ? null : toDecimal(BigInt(amount), decimals)),
    }),
    addresses: t.expose('addresses', { type: 'SafeInt', description: 'From how many addresses; at most 100.' }),
    waiting: t.expose('waiting', {
      type: 'SafeInt',
      description: 'How many addresses hold this token for the split. What one transaction leaves, the next collects.',
    }),
    deployments: t.expose('deployments', {
      type: [CallType],
      description:
        'Puts the contracts on the chain that are missing there: the factory of addresses, and the split. Each must be in a block before the next one, and before `transaction` is estimated. Usually none.',
    }),
    transaction: t.expose('transaction', {
      type: CallType,
      description: 'Sends the money to the split, and from there to every recipient. What is empty is skipped.',
    }),
  }),
});

/** The points of the statements and of the calls to the chain. */
const COLLECTIONS_POINTS = 200;

builder.queryField('collections', (t) =>
  t.field({
    type: [CollectionType],
    description:
      'What a wallet can collect from the addresses of receipts, whatever that costs: for splits of the merchant that the caller reads, and for those that the caller’s wallet is a recipient of. It sends nothing: any wallet sends the transactions, also where the server has no settlement wallet. Only money with all confirmations, of receipts that wait for no more. At most 20 splits and tokens of each chain.',
    authScopes: { scope: 'split:read', session: true },
    complexity: COLLECTIONS_POINTS,
    args: {
      chainId: t.arg({ type: 'SafeInt', description: 'Only on this chain (EIP-155).' }),
      split: t.arg({ type: 'Wallet', description: 'Only for this split.' }),
      token: t.arg.string({
        description:
          'Only this token, by its symbol or the address of its contract. With `receiptId` it may be any contract; its balance is read from the chain.',
      }),
      receiptId: t.arg.id({ description: 'Only of this receipt.' }),
    },
    resolve: (_root, args, context) => prepareCollections(context, beneficiaryOf(context.caller), parseSelection(args)),
  }),
);

builder.queryField('addressRecords', (t) =>
  t.field({
    type: ['JSON'],
    description:
      'The record of each address of a receipt, the first one first: all that its address is computed from, the recipients of its split and what deploys it. It suffices to collect without this server, at `/collect` or with a script. Empty for callers that may not collect for the receipt.',
    authScopes: { scope: 'split:read', session: true },
    args: { receiptId: t.arg.id({ required: true, description: 'The receipt.' }) },
    resolve: async (_root, { receiptId }, context) => [
      ...(await readAddressRecords(context, beneficiaryOf(context.caller), parseSelection({ receiptId }).receiptId!)),
    ],
  }),
);
