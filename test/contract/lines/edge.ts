import type { ContractSection } from './section.ts';

export const edge: ContractSection = {
  name: 'edge',
  title: 'Partner domains behind an edge',
  lines: {
    'static-cached': 'Paths under `/_next/static/` are cached for a year, whatever the origin’s headers',
    'rest-uncached': 'Everything else, including pages and `/api/`, is never cached and respects the origin’s headers',
    cors: '`Access-Control-Allow-Origin: *`, `-Methods: GET, POST, OPTIONS, PUT, DELETE`, `-Headers: *` on the partner’s host',
    firewall: 'Paths under `/api/`, including webhooks and `/api/terminal/check-payment`, get no browser challenge',
    tls: 'Edge to origin is full (strict): an origin with an untrusted certificate is refused',
    'tls-flexible': 'Flexible encryption causes a redirect loop, and `edge check` reports it',
    probes: '`GET /api/site/config` and a static file with an `Origin` header show whether the rules hold',
    purge: 'After a change of rules, the edge’s cache is purged',
  },
};
