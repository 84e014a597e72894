import { useClient } from '@urql/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { readCatalog } from '../catalog/read-catalog.ts';
import { Button } from '../components/button.tsx';
import { ErrorNote } from '../components/error-note.tsx';
import { PageHead } from '../components/page-head.tsx';
import { words } from '../words.ts';
import { ChangeList } from './change-list.tsx';
import { type Change, COLUMNS, changesOf } from './columns.ts';
import { rowsOf } from './read-file.ts';
import { NOT_BEGUN, type Progress, writeRows } from './write-rows.ts';

/** A file that was read, with what it would do. */
interface Plan {
  readonly file: string;
  readonly changes: readonly Change[];
  readonly ignored: readonly string[];
}

/** Reads a CSV file, shows what it would change, and writes it on request. */
export default function CatalogImportPage() {
  const client = useClient();
  const [plan, setPlan] = useState<Plan | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [reading, setReading] = useState(false);
  const read = async (file: File | undefined) => {
    if (!file) return;
    setProblem(null);
    setPlan(null);
    setReading(true);
    try {
      const found = rowsOf(await file.text());
      if ('problem' in found) setProblem(found.problem);
      else {
        const { rows, ignored } = found;
        setPlan({ file: file.name, ignored, changes: changesOf(rows, await readCatalog(client)) });
      }
    } catch {
      setProblem(words.unreachable);
    }
    setReading(false);
  };
  return (
    <>
      <PageHead
        title={words.import.title}
        lead={words.import.lead}
        up={{ href: '/console/catalog', title: words.catalog.title }}
      />
      {problem !== null && <ErrorNote problem={problem} />}
      {plan ? (
        <Preview plan={plan} onOther={() => setPlan(null)} />
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: dropping a file is a second way; the button is the first.
        <div
          class="drop"
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault();
            void read(event.dataTransfer?.files[0]);
          }}
        >
          <label class="button primary">
            {reading && <span class="spinner" aria-hidden="true" />}
            <input
              class="unseen"
              type="file"
              accept=".csv,text/csv"
              onChange={({ currentTarget }) => {
                void read(currentTarget.files?.[0]);
                currentTarget.value = '';
              }}
            />
            <span>{words.import.choose}</span>
          </label>
          <p class="soft">{words.import.columns}</p>
          <p class="mono soft">{COLUMNS.join(', ')}</p>
        </div>
      )}
    </>
  );
}

function Preview({ plan, onOther }: { readonly plan: Plan; readonly onOther: () => void }) {
  const client = useClient();
  const [progress, setProgress] = useState<Progress | null>(null);
  const stopping = useRef(new AbortController());
  useEffect(() => () => stopping.current.abort(), []);
  const inputs = plan.changes.flatMap((change) => ('input' in change ? [change.input] : []));
  const count = (kind: Change['kind']) => plan.changes.filter((change) => change.kind === kind).length;
  const added = count('added');
  const changed = count('changed');
  const write = () => {
    setProgress(NOT_BEGUN);
    void writeRows(client, inputs, stopping.current.signal, setProgress);
  };
  return (
    <>
      <p class="import-file">
        <strong>{plan.file}</strong>
        {plan.ignored.length > 0 && <span class="soft"> {words.import.ignored(plan.ignored.join(', '))}</span>}
      </p>
      <ul class="import-counts">
        {(['added', 'changed', 'unchanged', 'wrong'] as const).map((kind) => (
          <li key={kind} class={`import-count ${kind}`}>
            <strong class="number">{count(kind)}</strong>
            <span>{words.import.kinds[kind]}</span>
          </li>
        ))}
      </ul>
      {progress ? (
        <Writing progress={progress} total={inputs.length} />
      ) : (
        <div class="import-actions">
          <Button onClick={onOther}>{words.import.other}</Button>
          {inputs.length > 0 && (
            <Button kind="primary" onClick={write}>
              {words.import.write(added, changed)}
            </Button>
          )}
        </div>
      )}
      {!progress && <ChangeList changes={plan.changes} />}
    </>
  );
}

function Writing({ progress, total }: { readonly progress: Progress; readonly total: number }) {
  const { done, failed, waitsUntil } = progress;
  const over = done === total;
  useEffect(() => {
    if (over) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [over]);
  return (
    <div class="card import-progress">
      <p role="status">{over ? words.import.done(total - failed.length) : words.import.progress(done, total)}</p>
      <progress value={done} max={total} aria-label={words.import.title} />
      {waitsUntil !== null && <p class="soft">{words.import.waiting}</p>}
      {failed.map(({ sku, problem }) => (
        <p key={sku} class="field-problem">
          {sku}: {problem}
        </p>
      ))}
      {over && (
        <Button kind="primary" href="/console/catalog">
          {words.import.toCatalog}
        </Button>
      )}
    </div>
  );
}
