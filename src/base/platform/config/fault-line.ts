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
