import { useClient } from '@urql/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../client/button.tsx';
import type { Wait } from '../client/patient.ts';
import { words } from '../shared/words.ts';
import { rowOf } from './columns.ts';
import { readCatalog } from './read-catalog.ts';

/** Offers a text as a file. */
function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = `data:text/csv;charset=utf-8,${encodeURIComponent(text)}`;
  link.download = name;
  link.click();
}

/** Downloads the whole catalog as CSV, in the form that the import reads. */
export function ExportButton() {
  const client = useClient();
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle');
  const [wait, setWait] = useState<Wait | null>(null);
  const stopping = useRef(new AbortController());
  useEffect(() => () => stopping.current.abort(), []);
  const run = async () => {
    setState('busy');
    try {
      const { signal } = stopping.current;
      const rows = (await readCatalog(client, { signal, onWait: setWait })).map(rowOf);
      const { default: csv } = await import('papaparse');
      // With the mark, spreadsheets read the file as UTF-8.
      download('catalog.csv', `\ufeff${csv.unparse(rows)}`);
      setState('idle');
    } catch {
      setState('failed');
    }
    setWait(null);
  };
  return (
    <>
      <Button brief="download" busy={state === 'busy'} onClick={() => void run()}>
        {words.catalog.export}
      </Button>
      <span class="export-failed" role="status">
        {wait !== null && words.catalog.exportWaits[wait]}
        {state === 'failed' && words.catalog.exportFailed}
      </span>
    </>
  );
}
