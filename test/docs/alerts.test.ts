import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const sources = globSync('src/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));

test('docs/run/runbook.md says what to do about every alert of the log', () => {
  const alerts = sources.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/alert: '([a-z_]+)'/g)].map(([, alert]) => alert!),
  );
  expect(alerts.length).toBeGreaterThan(10);
  const documented = readFileSync(join(root, 'docs/run/runbook.md'), 'utf8');
  expect([...new Set(alerts)].filter((alert) => !documented.includes(`\`${alert}\``))).toEqual([]);
});
