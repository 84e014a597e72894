import { useState } from 'preact/hooks';
import { Button } from '../client/button.tsx';
import { Dialog, useDialogs } from '../client/dialog.tsx';
import { Check, LabelledSelect } from '../client/field.tsx';
import { Icon } from '../client/icon.tsx';
import { useShopZone } from '../client/shop-zone.ts';
import type { ReceiptFilter } from '../generated/receipts.ts';
import { words } from '../shared/words.ts';
import { EXPORT_FORMATS, EXPORT_ROWS, type ExportChoice, exportUrl } from './filter.ts';

/** The kinds of rows that the period of the list applies to, and not to their receipts. */
const HAS_OWN_TIME: readonly ExportChoice['rows'][] = ['payments', 'refunds'];

type ExportProps =
  /** `isEmpty`: the filter finds no receipt. */
  | { readonly filter: ReceiptFilter; readonly isEmpty: boolean; readonly chosen?: undefined }
  | { readonly filter?: undefined; readonly isEmpty?: undefined; readonly chosen: readonly string[] };

/** Downloads what the list shows, with all of its pages, or the chosen receipts. */
export function ExportReceipts({ filter, isEmpty, chosen }: ExportProps) {
  const { isOpen, open, close } = useDialogs();
  const [choice, setChoice] = useState<Omit<ExportChoice, 'timezone'>>({ rows: 'receipts', format: 'csv' });
  const timezone = useShopZone() ?? 'UTC';
  const nothing = isEmpty && !HAS_OWN_TIME.includes(choice.rows);
  const name = chosen ? 'export-chosen' : 'export';
  const title = chosen && words.receipts.exportChosen({ count: chosen.length });
  return (
    <>
      <Button onClick={() => open(name)}>
        <Icon name="download" />
        {title ?? words.receipts.export}
      </Button>
      <Dialog open={isOpen(name)} title={title ?? words.receipts.exportTitle} onClose={close}>
        <div class="form">
          {!chosen && <p>{words.receipts.exportText}</p>}
          <LabelledSelect
            label={words.receipts.exportRows}
            {...(!chosen && HAS_OWN_TIME.includes(choice.rows) && { hint: words.receipts.exportOwnTime })}
            value={choice.rows}
            onChange={(rows) => setChoice({ ...choice, rows: rows as ExportChoice['rows'] })}
          >
            {EXPORT_ROWS.map((rows) => (
              <option key={rows} value={rows}>
                {words.receipts.exportOf[rows]}
              </option>
            ))}
          </LabelledSelect>
          <LabelledSelect
            label={words.receipts.exportFormat}
            hint={words.receipts.exportZone({ zone: timezone })}
            value={choice.format}
            onChange={(format) => setChoice({ ...choice, format: format as ExportChoice['format'] })}
          >
            {EXPORT_FORMATS.map((format) => (
              <option key={format} value={format}>
                {words.receipts.exportFormats[format]}
              </option>
            ))}
          </LabelledSelect>
          {choice.format === 'csv' && (
            <Check
              checked={choice.times === 'spreadsheet'}
              onChange={(on) =>
                setChoice(({ times: _, ...others }) => (on ? { ...others, times: 'spreadsheet' } : others))
              }
            >
              {words.receipts.exportDates}
            </Check>
          )}
          {nothing && <p class="note">{words.receipts.exportEmpty}</p>}
          <div class="dialog-actions">
            <Button onClick={close}>{words.cancel}</Button>
            {!nothing && (
              <Button
                kind="primary"
                href={exportUrl(chosen ? { receiptIds: [...chosen] } : filter, { ...choice, timezone })}
                download=""
                onClick={close}
              >
                {words.receipts.download}
              </Button>
            )}
          </div>
        </div>
      </Dialog>
    </>
  );
}
