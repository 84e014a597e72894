import { checkEdge } from './edge-check.ts';
import { openProbe } from './edge-probe.ts';
import { print } from './print.ts';

/**
 * `quittance edge check`: checks the rules for a partner's host at its edge, and prints the fix of each violation.
 * Exits with 1 if a rule is violated.
 */
export async function edgeCheck(address: string, options: { json?: boolean; connect?: string }): Promise<void> {
  const report = await checkEdge(openProbe(options.connect ?? null), new URL(address).origin);
  const faults = report.checks.filter(({ ok }) => !ok);
  const verdict = faults.length === 0 ? 'Every rule holds.' : `${faults.length} of the rules asked do not hold.`;
  print(report, options.json, [
    ...report.checks.flatMap(({ rule, ok, problem, change }) =>
      ok ? [`ok      ${rule}`] : [`WRONG   ${rule}: ${problem}`, `        ${change}`],
    ),
    ...(report.brandKey === null ? [] : [`        the host shows the brand ${report.brandKey}`]),
    verdict,
  ]);
  if (!report.ok) process.exitCode = 1;
}
