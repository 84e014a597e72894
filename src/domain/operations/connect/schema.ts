import { sessionOf } from '../../../base/core/caller.ts';
import { parseInput } from '../../../base/core/input.ts';
import { builder } from '../../../base/graphql/builder.ts';
import { audits } from '../../../base/records/audit/writes.ts';
import { grantInput, tokenInput } from './connect.input.ts';
import { type Connection, exchangeCode, grantConnection } from './connect.ts';

const GrantType = builder.objectRef<Awaited<ReturnType<typeof grantConnection>>>('ShopConnectionGrant').implement({
  description: 'What a shop system was allowed.',
  authScopes: { may: 'keys' },
  fields: (t) => ({
    returnUrl: t.exposeString('returnUrl', {
      description: 'Where the browser goes back to, with `code` and `state`.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'Millis', description: 'When the code expires.' }),
  }),
});

const ConnectionType = builder.objectRef<Connection>('ShopConnection').implement({
  description: 'What a shop system has after it was connected. Its secrets are shown only here.',
  authScopes: { public: true },
  fields: (t) => ({
    apiKey: t.exposeString('apiKey', { description: 'The key that its requests send.' }),
    webhookSecret: t.exposeString('webhookSecret', {
      nullable: true,
      description: 'The secret that signs its events; null if it gave no address for them.',
    }),
    merchant: t.expose('merchant', { type: 'Wallet', description: 'The wallet of the merchant.' }),
    merchantName: t.exposeString('merchantName', { description: 'The name of the merchant’s shop.' }),
    baseUrl: t.exposeString('baseUrl', { description: 'The address of this server.' }),
  }),
});

const ConnectShopInput = builder.inputType('ConnectShopInput', {
  description: 'What a shop system asks for, as the address of the page `/console/connect` has it.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'The name of the shop system, at most 80 characters.' }),
    returnUrl: t.string({ required: true, description: 'Where the browser goes back to.' }),
    state: t.string({ description: 'A text that goes back unchanged, at most 512 characters.' }),
    codeChallenge: t.string({ required: true, description: 'The challenge of PKCE, by the method `S256`.' }),
    webhookUrl: t.string({ description: 'Where events are sent.' }),
  }),
});

builder.mutationFields((t) => ({
  connectShop: t.field({
    ...audits('others', 'key.granted'),
    type: GrantType,
    description:
      'Allows a shop system to take a key with the scopes of shop systems, once, within five minutes. Needs a signature of the last five minutes.',
    authScopes: { maySign: 'keys:write' },
    args: { input: t.arg({ type: ConnectShopInput, required: true, description: 'What it asks for.' }) },
    resolve: (_, { input }, ctx) => {
      const urls = { allowInsecure: ctx.settings.webhookAllowInsecure };
      return grantConnection(ctx, sessionOf(ctx.caller), parseInput(grantInput(urls), input));
    },
  }),
  exchangeConnectCode: t.field({
    ...audits('others', 'key.issued', 'webhook.created'),
    type: ConnectionType,
    description:
      'Exchanges the code of `connectShop` for a key, and for an endpoint of it, once. Refuses with `connect_code_invalid`.',
    authScopes: { public: true },
    args: {
      code: t.arg.string({ required: true, description: 'The code.' }),
      codeVerifier: t.arg.string({ required: true, description: 'The verifier of the challenge.' }),
    },
    resolve: (_, args, ctx) => exchangeCode(ctx, parseInput(tokenInput, args)),
  }),
}));
