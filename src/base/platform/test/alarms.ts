import { pino } from 'pino';
import type { Logger } from '../log/log.ts';

/** A logger that collects alerts, in order. */
export function listenForAlarms(): { readonly log: Logger; readonly alarms: string[] } {
  const alarms: string[] = [];
  const write = (line: string) => {
    const { alert } = JSON.parse(line) as { alert?: string };
    if (alert !== undefined) alarms.push(alert);
  };
  return { log: pino({ level: 'warn' }, { write }), alarms };
}
