import { recordOperation } from '../audit/record-operation.ts';
import { SEARCH } from '../receipt-search/index-state.ts';
import { indexAll } from '../receipt-search/indexer.ts';
import { withDeps } from './open-deps.ts';
import { print } from './print.ts';

/** `quittance receipts reindex`: a running worker shares the work. Searches keep working meanwhile. */
export async function receiptsReindex(options: { json?: boolean }): Promise<void> {
  const indexed = await withDeps(async (deps) => {
    await recordOperation(deps, 'search.rebuilt', ['server', 'search'], {});
    await SEARCH.begin(deps);
    return indexAll(deps);
  });
  print({ ok: true, indexed }, options.json, [`Indexed ${indexed} receipts`]);
}
