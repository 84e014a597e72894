import type { ContractSection } from './section.ts';

export const auth: ContractSection = {
  name: 'auth',
  title: 'Authentication',
  lines: {
    key: '`Ocp-Apim-Subscription-Key`; missing or invalid: 401',
    'x-api-key': 'The key as `x-api-key`, on inventory writes and status ping',
    bearer: 'The key as `Authorization: Bearer`',
    'wallet-from-key': 'The merchant comes from the key; clients’ wallet headers are removed',
    'stamped-id': 'The gateway sets `x-subscription-id`; a client’s own value has no effect',
    'no-wallet-fields': 'A wallet in a body gives no access to another merchant',
    'stripped-headers': 'Relying on removed headers: 403',
    'edge-secret': 'With an edge configured, only requests with its `x-edge-secret` are accepted',
    scopes:
      'Scopes: `inventory:read`, `inventory:write`, `orders:create`, `receipts:read`, `receipts:write`, `shop:read`, `split:read`, `users:read`, `graphql:read`; a missing scope: 403',
    'signing-key': 'The same key signs webhooks',
    cookie: 'Admin: the cookie `cb_auth_token`, a JWT',
    login: 'A wallet signature (EIP-712) opens the session',
    csrf: 'Writes with a session need its CSRF token',
    roles: 'Roles are checked: a wallet without a merchant is not an admin',
    'no-key-needed': 'An admin needs no subscription key',
    expired: 'A missing or expired session: 401 “JWT authentication failed”',
    cron: 'The charge routes need `x-cron-secret`',
    'key-revoked': 'A leaked key can be revoked and replaced',
    'session-ended': 'A leaked session can be ended',
  },
};
