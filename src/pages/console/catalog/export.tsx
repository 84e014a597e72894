import { useClient } from '@urql/preact';
import { useState } from 'preact/hooks';
import { rowOf } from '../catalog-import/columns.ts';
import { Button } from '../components/button.tsx';
import { words } from '../words.ts';
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
  const run = async () => {
    setState('busy');
    try {
      const rows = (await readCatalog(client)).map(rowOf);
      const { default: csv } = await import('papaparse');
      download('catalog.csv', csv.unparse(rows));
      setState('idle');
    } catch {
      setState('failed');
    }
  };
  return (
    <>
      <Button brief="download" busy={state === 'busy'} onClick={() => void run()}>
        {words.catalog.export}
      </Button>
      <span class="export-failed" role="status">
        {state === 'failed' ? words.catalog.exportFailed : ''}
      </span>
    </>
  );
}
