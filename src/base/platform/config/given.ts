import type { z } from 'zod';
import { faultLine } from './variable-fault.ts';
import { variables } from './variables.ts';

/** The values of the variables that are set. */
export type Given = { -readonly [K in keyof typeof variables]: z.output<(typeof variables)[K]['read']> | undefined };

/** Parses the variables of an environment. An empty value counts as unset. Faults are added to `faults`. */
export function readGiven(environment: Readonly<Record<string, string | undefined>>, faults: string[]): Given {
  const given = {} as Given;
  for (const [name, { read }] of Object.entries(variables) as [keyof typeof variables, { read: unknown }][]) {
    const raw = environment[name];
    if (raw === undefined || raw === '') continue;
    const parsed = (read as z.ZodType).safeParse(raw);
    if (parsed.success) Object.assign(given, { [name]: parsed.data });
    else faults.push(faultLine(name, parsed.error.issues[0]?.message ?? 'is not valid'));
  }
  return given;
}
