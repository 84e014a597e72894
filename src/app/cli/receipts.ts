import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SingleBar } from 'cli-progress';
import { malformed } from '../../base/core/errors.ts';
import { recordOperation } from '../../base/records/audit/record.ts';
import type { ExportDeps } from '../../domain/reports/exports/column.ts';
import { type ExportRequest, exportReceipts } from '../../domain/reports/exports/export-receipts.ts';
import { recordExport } from '../../domain/reports/exports/file.ts';
import { filterShape } from '../../domain/reports/receipt-search/filter.input.ts';
import { openSearch } from '../../domain/reports/receipt-search/find-receipts.ts';
import { SEARCH } from '../../domain/reports/receipt-search/index-state.ts';
import { indexAll } from '../../domain/reports/receipt-search/indexer.ts';
import { NEWEST } from '../../domain/reports/receipt-search/order.ts';
import { findMerchant, merchantNotFound } from '../../domain/shop/merchants/find.ts';
import { readExport } from '../../doors/rest/routes/receipt-queries.ts';
import { walletOf, withDeps } from './open-deps.ts';
import { print } from './print.ts';

/** `quittance receipts reindex`: a running worker shares the work. Searches keep working meanwhile. */
export async function receiptsReindex(options: { json?: boolean }): Promise<void> {
  const indexed = await withDeps(async (deps) => {
    await recordOperation(deps, 'search.rebuilt', ['server', 'search'], {});
    await SEARCH.begin(deps.db);
    return indexAll(deps.db);
  });
  print({ ok: true, indexed }, options.json, [`Indexed ${indexed} receipts`]);
}

interface Options {
  wallet: string;
  rows: string;
  format: string;
  timezone: string;
  times: string;
  order: string;
  out?: string;
  json?: boolean;
  /** Filters by name. */
  filter: Readonly<Record<string, string>>;
}

/**
 * `quittance receipts export`: writes to stdout, or to a file that exists only once it is complete. Progress goes to
 * stderr if it is a terminal.
 */
export async function receiptsExport({ wallet, out, json, filter, ...how }: Options): Promise<void> {
  const unknown = Object.keys(filter).find((name) => !(name in filterShape.shape));
  if (unknown !== undefined) throw malformed(`${unknown} is not a filter of receipts`);
  if (json && out === undefined) throw malformed('--json needs --out: stdout has the export itself');
  const merchant = walletOf(wallet);
  const request = { merchant, ...readExport({ ...filter, ...how }) };
  const written = await withDeps(async (deps) => {
    if (!(await findMerchant(deps.db, merchant))) throw merchantNotFound();
    await recordExport(deps, request);
    return out === undefined ? write(deps, request, process.stdout) : writeFile(deps, request, out);
  });
  if (out !== undefined) print({ ok: true, file: out, ...written }, json, [`Wrote ${written.rows} rows to ${out}`]);
}

/** What was written. */
interface Written {
  readonly receipts: number;
  readonly rows: number;
}

async function writeFile(deps: ExportDeps, request: ExportRequest, out: string): Promise<Written> {
  const part = `${out}.part`;
  try {
    const written = await write(deps, request, createWriteStream(part, { mode: 0o600 }));
    await rename(part, out);
    return written;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function write(deps: ExportDeps, request: ExportRequest, target: NodeJS.WritableStream): Promise<Written> {
  const bar = new SingleBar({
    format: 'Exporting [{bar}] {percentage}%  {rows} rows  {eta_formatted} left',
    stream: process.stderr,
    noTTYOutput: false,
    hideCursor: true,
    etaBuffer: 50,
  });
  bar.start(process.stderr.isTTY ? await countOf(deps, request) : 1, 0, { rows: 0 });
  const written = { receipts: 0, rows: 0 };
  async function* texts() {
    for await (const { text, receipts, rows } of exportReceipts(deps, request)) {
      Object.assign(written, { receipts, rows });
      bar.update(receipts, { rows });
      yield text;
    }
  }
  try {
    await pipeline(Readable.from(texts()), target, { end: target !== process.stdout });
    return written;
  } finally {
    bar.stop();
  }
}

/** The receipts that match, for the progress bar; 1 if they cannot be counted in time. */
async function countOf(deps: ExportDeps, { merchant, filter }: ExportRequest): Promise<number> {
  const search = await openSearch(deps, merchant, filter, NEWEST);
  return search.count().catch(() => 1);
}
