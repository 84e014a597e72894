import type { ContractSection } from './section.ts';

export const routes: ContractSection = {
  name: 'routes',
  title: 'All routes',
  lines: {
    prefix: 'Developer routes are under `/api/`',
    credential: 'Every route except `GET /healthz` and public routes needs a key or the admin’s cookie',
    json: 'Bodies are JSON with `Content-Type: application/json`',
    'rate-headers': 'Responses carry `X-RateLimit-Limit`, `X-RateLimit-Remaining`, `X-RateLimit-Reset`',
    correlation: 'Responses carry `x-correlation-id`',
    origin: 'Direct access to the origin is denied',
    health: '`GET /healthz`: no credential, 200, a small object with `status`',
    ping: '`GET /api/status/ping`: `x-api-key` or bearer; status and diagnostics',
    table: 'Every route of the contract is served, and described in the API document',
    'graphql-same': 'REST and GraphQL refuse in the same way',
  },
};
