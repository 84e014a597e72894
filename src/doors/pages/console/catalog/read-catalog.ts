import type { Client } from '@urql/core';
import { askPatiently, type Patience } from '../client/patient.ts';
import { CatalogExport, type CatalogExportQuery } from '../generated/catalog.ts';
import { words } from '../shared/words.ts';

type Page = CatalogExportQuery['inventory'];

/** The whole catalog, read page by page from the server, however long it takes. Throws if it cannot be read. */
export async function readCatalog(client: Client, patience: Patience): Promise<Page['nodes']> {
  const items: Page['nodes'] = [];
  for (let after: string | null = null, more = true; more; ) {
    const page: Page = await readPage(client, patience, after);
    items.push(...page.nodes);
    ({ endCursor: after, hasNextPage: more } = page.pageInfo);
  }
  return items;
}

async function readPage(client: Client, patience: Patience, after: string | null): Promise<Page> {
  const { data, error } = await askPatiently(patience, () =>
    client.query(CatalogExport, { after }, { requestPolicy: 'network-only' }).toPromise(),
  );
  if (!data) throw error ?? new Error(words.unreachable);
  return data.inventory;
}
