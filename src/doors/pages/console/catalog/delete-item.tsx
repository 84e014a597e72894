import { useState } from 'preact/hooks';
import { useWrite } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { type CatalogItemFragment, DeleteCatalogItem, SaveCatalogItem } from '../generated/catalog.ts';
import { words } from '../shared/words.ts';

/** Deletes an item after a confirmation, or stops selling it. */
export function DeleteItem({ item, onDone }: { readonly item: CatalogItemFragment; readonly onDone: () => void }) {
  const [asking, setAsking] = useState(false);
  const deleting = useWrite(DeleteCatalogItem);
  const saving = useWrite(SaveCatalogItem);
  const problem = deleting.problem ?? saving.problem;
  if (!asking)
    return (
      <div class="item-delete">
        <Button kind="plain" onClick={() => setAsking(true)}>
          {words.catalog.delete}
        </Button>
      </div>
    );
  return (
    <section class="item-delete asking" aria-label={words.catalog.deleteTitle(item.name)}>
      <p class="item-delete-title">{words.catalog.deleteTitle(item.name)}</p>
      <p class="soft">{words.catalog.deleteText}</p>
      <ErrorNote problem={problem} />
      <div class="dialog-actions">
        <Button onClick={() => setAsking(false)}>{words.catalog.keep}</Button>
        {item.stockQty !== 0 && (
          <Button
            busy={saving.busy}
            onClick={async () => {
              if (await saving.send({ input: { sku: item.sku, stockQty: 0 } })) onDone();
            }}
          >
            {words.catalog.stopSelling}
          </Button>
        )}
        <Button
          kind="danger"
          busy={deleting.busy}
          onClick={async () => {
            if (await deleting.send({ id: item.id })) onDone();
          }}
        >
          {words.catalog.deleteForGood}
        </Button>
      </div>
    </section>
  );
}
