import { DESTINATIONS } from '../../../src/base/outgoing/destinations.ts';
import type { RETENTION_VARIABLES } from '../../../src/base/platform/config/retention.ts';
import { variables } from '../../../src/base/platform/config/variables.ts';
import { AUDIT_ACTIONS } from '../../../src/base/records/audit/actions.ts';
import { METRICS } from '../../../src/domain/operations/metrics/table.ts';
import { ALARMS } from '../../../src/domain/operations/operators/alarms.ts';
import { KEPT } from '../../../src/domain/operations/retention/kept.ts';
import type { ColumnKind } from '../../../src/domain/reports/exports/column.ts';
import { columnsOf, ROWS_NAMES, type RowsName } from '../../../src/domain/reports/exports/export-receipts.ts';
import { EVENT_KINDS } from '../../../src/domain/webhooks/events/kinds.ts';
import { code, codes, table } from './markdown.ts';

const KINDS: Readonly<Record<ColumnKind, string>> = {
  text: 'text',
  word: 'text',
  time: 'time',
  amount: 'amount',
  count: 'whole number',
  decimal: 'decimal',
};

const exportTable = (rows: RowsName): string =>
  table(
    ['Column', 'Holds', 'Description'],
    columnsOf(rows).map(({ name, kind, about }) => [code(name), KINDS[kind], about]),
  );

/** The default of a variable in days. */
function keptFor(variable: keyof typeof RETENTION_VARIABLES): string {
  const { unset } = variables[variable];
  return Number.isNaN(Number(unset)) ? `${unset} by default:` : `${unset} days`;
}

/** The tables for operators, by the name of their marker. */
export const operatorTables: Readonly<Record<string, () => string>> = {
  destinations: () =>
    table(
      ['Request', 'Destination', 'Time of one try', 'Tries', 'Read of an answer'],
      Object.values(DESTINATIONS).map(({ sends, to, timeoutMs, tries, answerBytes }) => [
        ...[sends, to, `${timeoutMs / 1_000} s`, String(tries)],
        answerBytes === null ? 'all' : `${answerBytes / 1_024} KiB`,
      ]),
    ),
  configuration: () =>
    table(
      ['Variable', 'Default', 'Description', 'Example'],
      Object.entries(variables).map(([name, { unset, doc, example }]) => [code(name), unset, doc, code(example)]),
    ),
  metrics: () =>
    table(
      ['Metric', 'Type', 'Labels', 'Source', 'Description'],
      Object.entries(METRICS).map(([name, { type, labels, source, help }]) => [
        code(name),
        type,
        codes(labels),
        source,
        help,
      ]),
    ),
  alarms: () =>
    table(
      ['Alarm', 'What to do'],
      Object.entries(ALARMS).map(([alarm, action]) => [code(alarm), action]),
    ),
  retention: () =>
    table(
      ['Table', 'Kept', 'Variable'],
      Object.entries(KEPT).map(([name, { until, variable }]) => [
        code(name),
        variable === undefined ? until : `${keptFor(variable)} ${until}`,
        variable === undefined ? '' : code(variable),
      ]),
    ),
  'audit-actions': () =>
    table(
      ['Action', 'What was done'],
      Object.entries(AUDIT_ACTIONS).map(([action, what]) => [code(action), what]),
    ),
  ...Object.fromEntries(ROWS_NAMES.map((rows) => [`export-${rows}`, () => exportTable(rows)])),
  'event-kinds': () =>
    table(
      ['Type', 'What happened'],
      Object.entries(EVENT_KINDS).map(([kind, what]) => [code(kind), what]),
    ),
};
