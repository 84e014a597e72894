import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const text = readFileSync(join(import.meta.dirname, '../../docs/run/edge/README.md'), 'utf8').replaceAll(/\s+/g, ' ');

// Contract: edge.purge, edge.firewall, edge.static-cached, edge.rest-uncached, edge.tls
test('docs/run/edge/ describes every rule for other CDNs, including the purge after a change', () => {
  for (const rule of [
    /starts with `\/_next\/static\/` → eligible for cache, edge TTL one month or one year, ignore the origin/,
    /All else → bypass cache/,
    /starts with `\/api\/` → skip managed rules, bot protection, browser integrity check/,
    /full \(strict\)\. Never flexible/,
    /Purge everything\*\* after a change/,
  ])
    expect(text).toMatch(rule);
});
