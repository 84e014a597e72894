import { recordOperation } from '../../base/records/audit/record-operation.ts';
import { SEARCH } from '../../domain/reports/receipt-search/index-state.ts';
import { indexAll } from '../../domain/reports/receipt-search/indexer.ts';
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
