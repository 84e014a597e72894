import { useEffect, useId, useState } from 'preact/hooks';
import { useRead, useWrite } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { Dialog } from '../client/dialog.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { Check, Input, LabelledSelect, NumberField, TextArea } from '../client/field.tsx';
import { FormActions } from '../client/form-actions.tsx';
import { Icon } from '../client/icon.tsx';
import { Unread } from '../client/loaded.tsx';
import {
  CatalogCurrency,
  CatalogItemById,
  type CatalogItemFragment,
  type Currency,
  DeleteCatalogItem,
  SaveCatalogItem,
} from '../generated/catalog.ts';
import { words } from '../shared/words.ts';
import { type Draft, draftOf, inputOf, NEW_DRAFT, problemsOf } from './draft.ts';
import { PictureProblem, readPicture, thumbOf } from './pictures.ts';

interface ItemDialogProps {
  /** The item that is edited; null for a new one. */
  readonly id: string | null;
  readonly open: boolean;
  readonly categories: readonly string[];
  readonly onClose: () => void;
}

/** The dialog that adds or edits an item. */
export function ItemDialog({ id, open, categories, onClose }: ItemDialogProps) {
  return (
    <Dialog open={open} kind="drawer" title={id ? words.catalog.edit : words.catalog.add} onClose={onClose}>
      {id ? (
        <EditItem key={id} id={id} categories={categories} onClose={onClose} />
      ) : (
        <NewItem categories={categories} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface PartProps extends Pick<ItemDialogProps, 'categories' | 'onClose'> {
  /** Called after saving, in place of `onClose`. */
  readonly onSaved?: () => void;
  /** The text of the way out, outside of a dialog. */
  readonly leave?: string;
}

/** The form of a new item, in the currency of the shop. */
export function NewItem(props: PartProps) {
  const { data, problem, again } = useRead(CatalogCurrency, {});
  if (problem !== null || !data) return <Unread problem={problem} again={again} />;
  return <ItemForm {...props} first={{ ...NEW_DRAFT, currency: data.pricingConfig.nativeCurrency }} />;
}

function EditItem({ id, ...props }: PartProps & { readonly id: string }) {
  const { data, problem, again } = useRead(CatalogItemById, { id });
  const item = data?.inventoryItem;
  if (problem !== null || !data) return <Unread problem={problem} again={again} />;
  if (!item) return <p>{words.catalog.gone}</p>;
  return (
    <>
      <ItemForm {...props} first={draftOf(item)} saved={draftOf(item)} />
      <DeleteItem item={item} onDone={props.onClose} />
    </>
  );
}

interface ItemFormProps extends PartProps {
  readonly first: Draft;
  /** The item as it is stored; only differences are sent. */
  readonly saved?: Draft;
}

function ItemForm({ categories, onClose, onSaved = onClose, leave, first, saved }: ItemFormProps) {
  const [draft, setDraft] = useState(first);
  const [tried, setTried] = useState(false);
  const { busy, problem, send, clear } = useWrite(SaveCatalogItem);
  useEffect(clear, [draft]);
  const change = (changes: Partial<Draft>) => setDraft((old) => ({ ...old, ...changes }));
  const problems = problemsOf(draft);
  const shown = tried ? problems : {};
  const submit = async () => {
    setTried(true);
    if (Object.keys(problems).length > 0) return;
    if (await send({ input: inputOf(draft, saved) })) onSaved();
  };
  return (
    <form
      class="item-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Input label={words.catalog.name} value={draft.name} problem={shown.name} onInput={(name) => change({ name })} />
      <div class="two">
        <NumberField
          label={words.catalog.price({ currency: draft.currency })}
          kind="money"
          currency={draft.currency}
          value={draft.price}
          problem={shown.price}
          onInput={(price) => change({ price })}
        />
        <LabelledSelect
          label={words.catalog.currency}
          value={draft.currency}
          onChange={(currency) => change({ currency: currency as Currency })}
        >
          <option value="USD">USD</option>
          <option value="EUR">EUR</option>
        </LabelledSelect>
      </div>
      <div class="two">
        <NumberField
          label={words.catalog.stock}
          kind="whole"
          value={draft.stock}
          placeholder={words.catalog.unlimited}
          hint={words.catalog.stockHint}
          problem={shown.stock}
          onInput={(stock) => change({ stock })}
        />
        <CategoryField value={draft.category} categories={categories} onInput={(category) => change({ category })} />
      </div>
      <PictureField pictures={draft.images} onChange={(pictures) => change(pictures)} />
      <FurtherFields draft={draft} isNew={saved === undefined} problem={shown.sku} onChange={change} />
      <ErrorNote problem={problem} />
      <FormActions
        action={saved ? words.catalog.saveChanges : words.catalog.add}
        busy={busy}
        leave={leave}
        onCancel={onClose}
      />
    </form>
  );
}

interface FurtherFieldsProps {
  readonly draft: Draft;
  readonly isNew: boolean;
  readonly problem: string | undefined;
  readonly onChange: (changes: Partial<Draft>) => void;
}

function FurtherFields({ draft, isNew, problem, onChange }: FurtherFieldsProps) {
  return (
    <details open={Boolean(draft.description) || undefined}>
      <summary>{words.catalog.further}</summary>
      <TextArea
        label={words.catalog.description}
        value={draft.description}
        onInput={(description) => onChange({ description })}
      />
      {isNew && (
        <Input
          label={words.catalog.sku}
          value={draft.sku}
          hint={words.catalog.skuHint}
          problem={problem}
          onInput={(sku) => onChange({ sku })}
        />
      )}
      <Check checked={draft.taxable} onChange={(taxable) => onChange({ taxable })}>
        {words.catalog.taxable}
      </Check>
    </details>
  );
}

interface CategoryFieldProps {
  readonly value: string;
  readonly categories: readonly string[];
  readonly onInput: (category: string) => void;
}

function CategoryField({ value, categories, onInput }: CategoryFieldProps) {
  return (
    <div class="field">
      <label class="field-label" for="item-category">
        {words.catalog.category}
      </label>
      <input
        id="item-category"
        class="input"
        list="item-categories"
        value={value}
        autocomplete="off"
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <datalist id="item-categories">
        {categories.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </div>
  );
}

/** Deletes an item after a confirmation, or stops selling it. */
function DeleteItem({ item, onDone }: { readonly item: CatalogItemFragment; readonly onDone: () => void }) {
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
    <section class="item-delete asking" aria-label={words.catalog.deleteTitle({ name: item.name })}>
      <p class="item-delete-title">{words.catalog.deleteTitle({ name: item.name })}</p>
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

const MAX_PICTURES = 8;

/** The small picture; without it, lists show the first letter of the name. */
const smallOf = (uri: string): Promise<string | null> => thumbOf(uri).catch(() => null);

interface PictureFieldProps {
  readonly pictures: readonly string[];
  readonly onChange: (changes: Pick<Draft, 'images' | 'thumb'>) => void;
}

/** The pictures of an item: the first is shown in lists. Files are chosen or dropped here. */
function PictureField({ pictures, onChange }: PictureFieldProps) {
  const id = useId();
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const add = async (files: readonly File[]) => {
    setProblem(null);
    setBusy(true);
    try {
      const read = await Promise.all(files.slice(0, MAX_PICTURES - pictures.length).map(readPicture));
      const images = [...pictures, ...read];
      onChange(pictures.length === 0 && read[0] ? { images, thumb: await smallOf(read[0]) } : { images });
    } catch (error) {
      setProblem(error instanceof PictureProblem ? error.message : words.pictures.failed);
    }
    setBusy(false);
  };
  const remove = async (at: number) => {
    const images = pictures.filter((_, n) => n !== at);
    const [first] = images;
    if (at > 0) return onChange({ images });
    onChange({ images, thumb: first === undefined ? null : await smallOf(first) });
  };
  return (
    <div class="field">
      <span class="field-label" id={id}>
        {words.pictures.label}
      </span>
      <ul
        class="pictures"
        aria-labelledby={id}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          void add([...(event.dataTransfer?.files ?? [])]);
        }}
      >
        {pictures.map((uri, n) => (
          <li key={uri} class="picture">
            <img src={uri} alt={words.pictures.nth({ n: n + 1 })} />
            <button type="button" aria-label={words.pictures.remove({ n: n + 1 })} onClick={() => void remove(n)}>
              <Icon name="cross" />
            </button>
          </li>
        ))}
        {pictures.length < MAX_PICTURES && (
          <li class="picture add">
            <label>
              <input
                class="unseen"
                type="file"
                accept="image/*"
                multiple
                onChange={({ currentTarget }) => {
                  void add([...(currentTarget.files ?? [])]);
                  currentTarget.value = '';
                }}
              />
              <span>{busy ? words.loading : words.pictures.add}</span>
            </label>
          </li>
        )}
      </ul>
      {problem && (
        <p class="field-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
