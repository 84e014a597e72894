import { ConfigFaults } from './faults.ts';
import { variables } from './variables.ts';

/** Formats a fault as one line: the variable, the problem with its value, and a valid example. */
export const faultLine = (
  name: keyof typeof variables,
  problem: string,
  example: string = variables[name].example,
): string => `${name}: ${problem} (for example ${name}=${example})`;

/** The error for one variable whose fault is found only when its value is used. */
export const configFault = (...fault: Parameters<typeof faultLine>): ConfigFaults =>
  new ConfigFaults([faultLine(...fault)]);

/** The variables of a place where a process listens. */
const VARIABLES = { server: ['PORT', 'HOST'], metrics: ['METRICS_PORT', 'METRICS_HOST'] } as const;

/** The fault behind an error of `listen`, naming the variable; null for any other error. */
export function listenFault(
  kind: keyof typeof VARIABLES,
  { host, port }: { readonly host: string; readonly port: number },
  error: unknown,
): ConfigFaults | null {
  const [ofPort, ofHost] = VARIABLES[kind];
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return configFault(ofPort, `${port} is taken by another process`, String((port % 65_535) + 1));
  if (code === 'EACCES') return configFault(ofPort, `${port} needs a privilege that this user does not have`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return configFault(ofHost, `${host} is not an address of this machine`);
  return null;
}
