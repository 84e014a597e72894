import type { Client } from '@urql/core';
import { useClient } from '@urql/preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Change, COLUMNS, type Column, changesOf, respelled } from '../catalog/columns.ts';
import { readCatalog } from '../catalog/read-catalog.ts';
import { Button } from '../client/button.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { useInside } from '../client/inside.ts';
import { useLeaveQuestion } from '../client/leaving.ts';
import { PageHead } from '../client/page-head.tsx';
import { askPatiently, type Patience, type Wait } from '../client/patient.ts';
import { Rows } from '../client/rows.tsx';
import { Status } from '../client/status.tsx';
import { CatalogCurrency, type Currency } from '../generated/catalog.ts';
import { words } from '../shared/words.ts';
import { rowsOf } from './read-file.ts';
import { readText } from './read-text.ts';
import { minutesOf, NOT_BEGUN, type Progress, writeRows } from './write-rows.ts';

/** A file that was read, with what it would do, and what to know before it is written. */
interface Plan {
  readonly file: string;
  readonly changes: readonly Change[];
  readonly notes: readonly string[];
}

/** The notes on respelled SKUs name this many of them. */
const NAMED = 3;

/** Reads a file and compares it with the catalog. Returns a sentence if it cannot be read. */
async function planOf(file: File, client: Client, patience: Patience): Promise<Plan | string> {
  const decoded = readText(new Uint8Array(await file.arrayBuffer()));
  if (!decoded) return words.import.wrongEncoding;
  const found = rowsOf(decoded.text);
  if ('problem' in found) return found.problem;
  const items = await readCatalog(client, patience);
  const usual = await readCurrency(client, patience);
  const changes = changesOf(found.rows, { items, usual });
  const added = changes.filter(({ kind }) => kind === 'added').length;
  const without = (column: Column) => added > 0 && found.rows.some(({ cells }) => !cells[column]?.trim());
  const pairs = respelled(changes, items);
  const named = pairs.slice(0, NAMED).map(({ sku, of }) => words.import.respelledPair({ sku, of }));
  const notes = [
    found.ignored.length > 0 && words.import.ignored({ columns: found.ignored.join(', ') }),
    decoded.guessed && words.import.guessedEncoding({ sample: sampleOf(decoded.text) }),
    pairs.length > 0 && words.import.respelled({ count: pairs.length, pairs: named.join(', ') }),
    without('currency') && words.import.usualCurrency({ currency: usual }),
    without('taxable') && words.import.usualTax,
  ];
  return { file: file.name, changes, notes: notes.filter((note) => note !== false) };
}

/** The first text of a file with a letter that depends on how it was read. */
const sampleOf = (text: string): string =>
  /[^\r\n,;\t"]{0,20}[\u0080-\uffff][^\r\n,;\t"]{0,20}/.exec(text)?.[0].trim() ?? '';

async function readCurrency(client: Client, patience: Patience): Promise<Currency> {
  const { data, error } = await askPatiently(patience, () =>
    client.query(CatalogCurrency, {}, { requestPolicy: 'network-only' }).toPromise(),
  );
  if (!data) throw error ?? new Error(words.unreachable);
  return data.pricingConfig.nativeCurrency;
}

/** Reads a CSV file, shows what it would change, and writes it on request. */
export default function CatalogImportPage() {
  const client = useClient();
  const [plan, setPlan] = useState<Plan | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [reading, setReading] = useState(false);
  const [wait, setWait] = useState<Wait | null>(null);
  const stopping = useRef(new AbortController());
  useEffect(() => () => stopping.current.abort(), []);
  const read = async (file: File | undefined) => {
    if (!file || reading) return;
    setProblem(null);
    setReading(true);
    try {
      const found = await planOf(file, client, { signal: stopping.current.signal, onWait: setWait });
      if (typeof found === 'string') setProblem(found);
      else setPlan(found);
    } catch {
      setProblem(words.unreachable);
    }
    setWait(null);
    setReading(false);
  };
  return (
    <>
      <PageHead
        title={words.import.title}
        lead={words.import.lead}
        up={{ href: '/console/catalog', title: words.catalog.title }}
      />
      <ErrorNote problem={problem} />
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
          {wait !== null && <p role="status">{words.import.readingWaits[wait]}</p>}
          <p class="soft">{words.import.columns}</p>
          <p class="mono soft">{COLUMNS.join(', ')}</p>
        </div>
      )}
    </>
  );
}

function Preview({ plan, onOther }: { readonly plan: Plan; readonly onOther: () => void }) {
  const client = useClient();
  const { batchesPerMinute } = useInside().settings;
  const [progress, setProgress] = useState<Progress | null>(null);
  const stopping = useRef(new AbortController());
  useEffect(() => () => stopping.current.abort(), []);
  const inputs = useMemo(() => plan.changes.flatMap((change) => ('input' in change ? [change.input] : [])), [plan]);
  const minutes = useMemo(() => minutesOf(inputs, batchesPerMinute), [inputs]);
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
      </p>
      <ul class="import-counts">
        {(['added', 'changed', 'unchanged', 'wrong'] as const).map((kind) => (
          <li key={kind} class={`import-count ${kind}`}>
            <strong class="number">{count(kind)}</strong>
            <span>{words.import.kinds[kind]}</span>
          </li>
        ))}
      </ul>
      {!progress && plan.notes.length > 0 && (
        <ul class="import-notes">
          {plan.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {progress ? (
        <Writing progress={progress} total={inputs.length} minutes={minutes} />
      ) : (
        <div class="import-actions">
          {minutes > 0 && <span class="soft import-time">{words.import.minutes({ minutes })}</span>}
          <Button onClick={onOther}>{words.import.other}</Button>
          {inputs.length > 0 && (
            <Button kind="primary" onClick={write}>
              {writeText(added, changed)}
            </Button>
          )}
        </div>
      )}
      {!progress && <ChangeList changes={plan.changes} />}
    </>
  );
}

interface WritingProps {
  readonly progress: Progress;
  readonly total: number;
  readonly minutes: number;
}

function Writing({ progress, total, minutes }: WritingProps) {
  const { done, failed, wait } = progress;
  const over = done === total;
  useLeaveQuestion(over ? null : words.import.leave);
  return (
    <div class="card import-progress">
      <p role="status">
        {over ? words.import.done({ written: total - failed.length }) : words.import.progress({ done, total })}
      </p>
      <progress value={done} max={total} aria-label={words.import.title} />
      {!over && minutes > 0 && <p class="soft">{words.import.minutes({ minutes })}</p>}
      {wait !== null && (
        <p class="soft" role="status">
          {words.import.waits[wait]}
        </p>
      )}
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

/** The rows that are shown at first, and with each further click. */
const SHOWN = 100;

const TONES = { added: 'mark', changed: 'warn', wrong: 'bad', unchanged: 'muted' } as const;
const ORDER = Object.keys(TONES).reverse();

/** The rows of a file with what each would do: what is wrong comes first. */
function ChangeList({ changes }: { readonly changes: readonly Change[] }) {
  const [shown, setShown] = useState(SHOWN);
  const rank = ({ kind }: Change) => (kind === 'wrong' ? -1 : ORDER.length - ORDER.indexOf(kind));
  const sorted = changes.toSorted((a, b) => rank(a) - rank(b) || a.line - b.line);
  return (
    <>
      <Rows label={words.import.preview}>
        {sorted.slice(0, shown).map((change) => (
          <li key={change.line} class="row import-row">
            <span class="soft number">{words.import.line({ n: change.line })}</span>
            <bdi class="cut">{change.name}</bdi>
            <span class="soft">
              {change.kind === 'wrong' && change.problem}
              {change.kind === 'changed' && change.columns.join(', ')}
            </span>
            <Status tone={TONES[change.kind]} open={change.kind === 'unchanged'}>
              {words.import.kinds[change.kind]}
            </Status>
          </li>
        ))}
      </Rows>
      {sorted.length > shown && (
        <div class="import-actions">
          <Button onClick={() => setShown(shown + SHOWN)}>{words.import.more({ rest: sorted.length - shown })}</Button>
        </div>
      )}
    </>
  );
}

/** What is written, on the button that does it. */
function writeText(added: number, changed: number): string {
  if (changed === 0) return words.import.writeAdd({ added });
  return added === 0 ? words.import.writeChange({ changed }) : words.import.writeBoth({ added, changed });
}
